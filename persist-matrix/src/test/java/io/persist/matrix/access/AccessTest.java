package io.persist.matrix.access;

import io.persist.matrix.Matrix;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class AccessTest {

    @TestFactory
    Stream<DynamicTest> rows() {
        return Matrix.of(
                new NoDirectory(),
                new NoRights(),
                new NoDescriptors(),
                new LogTakenAway(),
                new TwoWriters(),
                new LostLock(),
                new ManyThreads());
    }
}
