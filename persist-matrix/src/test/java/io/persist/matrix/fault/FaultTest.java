package io.persist.matrix.fault;

import io.persist.matrix.Matrix;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class FaultTest {

    @TestFactory
    Stream<DynamicTest> rows() {
        return Matrix.of(
                new DiskFull(),
                new DiskFullMapped(),
                new IoError(),
                new FailedSyncReopened(),
                new ReadError(),
                new CutUnderMapping(),
                new CutUnderWriter(),
                new ShortWrite(),
                new HeldSync());
    }
}
