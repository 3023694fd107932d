package io.persist.matrix.damage;

import io.persist.matrix.Matrix;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class FlipTest {

    @TestFactory
    Stream<DynamicTest> rows() {
        return Matrix.of(new BitFlips());
    }
}
