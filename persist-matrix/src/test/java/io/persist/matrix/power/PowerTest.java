package io.persist.matrix.power;

import io.persist.matrix.Matrix;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class PowerTest {

    @TestFactory
    Stream<DynamicTest> rows() {
        return Matrix.of(
                new KillAnytime(),
                new PowerCutEverywhere(),
                new PowerCutAnytime(),
                new PowerCutInRecovery(),
                new RemountAnytime(),
                new ReadersBeforeRecovery(),
                new UnseenWriter(),
                new ReaderDuringKills(),
                new ReaderDuringFaults(),
                new RecycledFiles(),
                new StoppedReader(),
                new Soak());
    }
}
