package io.persist.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class CarTest {

    private static final List<Car.Acceleration> SLOW = accelerations(4.0f, 7.5f, 12.2f);
    private static final List<Car.Acceleration> FAST = accelerations(3.8f, 7.1f, 11.8f);

    @Test
    void shouldHaveEverythingThatTheMessageSays() {
        ByteBuffer message = new CarMessage().message(41);

        Car car = Car.decode(message);

        assertThat(car)
                .isEqualTo(new Car(
                        42,
                        2005,
                        true,
                        'A',
                        List.of(1, 2, 3, 4, 5),
                        "abcdef",
                        6,
                        new Car.Engine(4200, 8, "abc", 35, new Car.Booster(true, 'N', 200)),
                        List.of(
                                new Car.FuelFigure(30, 35.9f, ""),
                                new Car.FuelFigure(55, 49.0f, ""),
                                new Car.FuelFigure(75, 40.0f, "")),
                        List.of(new Car.PerformanceFigure(95, SLOW), new Car.PerformanceFigure(99, FAST)),
                        "MANUFACTURER",
                        "MODEL",
                        "abcdef"));
        assertThat(message.hasRemaining()).isFalse();
    }

    @Test
    void shouldBeMadeOfNumberedMessagesToo() {
        NumberedMessages messages = new NumberedMessages(new CarMessage());

        assertThat(messages.decode(messages.message(7))).isEqualTo(Car.decode(new CarMessage().message(7)));
    }

    @Test
    void shouldBeBytesOfOtherMessages() {
        byte[] expected = new byte[12];
        new PatternMessages(12).message(7).get(0, expected);

        assertThat(new PatternMessages(12).decode(new PatternMessages(12).message(7)))
                .isEqualTo(expected);
    }

    private static List<Car.Acceleration> accelerations(float to30, float to60, float to100) {
        return List.of(
                new Car.Acceleration(30, to30), new Car.Acceleration(60, to60), new Car.Acceleration(100, to100));
    }
}
