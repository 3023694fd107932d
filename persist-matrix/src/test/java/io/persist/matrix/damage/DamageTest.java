package io.persist.matrix.damage;

import io.persist.matrix.Matrix;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** All but the {@link FlipTest}, which another JVM runs at the same time. */
final class DamageTest {

    @TestFactory
    Stream<DynamicTest> rows() {
        return Matrix.of(
                new Truncations(),
                new SpoiltBlocks(),
                new MisdirectedBlocks(),
                new MisdirectedFrames(),
                new StaleTail(),
                new ForeignFiles(),
                new BadLengths(),
                new Upgrades());
    }
}
