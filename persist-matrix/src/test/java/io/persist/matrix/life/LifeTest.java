package io.persist.matrix.life;

import io.persist.matrix.Matrix;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class LifeTest {

    @TestFactory
    Stream<DynamicTest> rows() {
        return Matrix.of(
                new ClockJump(),
                new DeadWriter(),
                new DeadUpkeep(),
                new Interruption(),
                new ManyLives(),
                new RecoveryWork());
    }
}
