package io.persist.bench.record;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A {@link CarMessage} as an object: what an application makes of the bytes if it does not work on them directly. */
record Car(
        long serialNumber,
        int modelYear,
        boolean available,
        char code,
        List<Integer> someNumbers,
        String vehicleCode,
        int extras,
        Engine engine,
        List<FuelFigure> fuelFigures,
        List<PerformanceFigure> performanceFigures,
        String manufacturer,
        String model,
        String activationCode) {

    private static final int NUMBERS = 5;

    record Engine(int capacity, int cylinders, String manufacturerCode, int efficiency, Booster booster) {}

    record Booster(boolean enabled, char type, int horsePower) {}

    record FuelFigure(int speed, float mpg, String usageDescription) {}

    record PerformanceFigure(int octaneRating, List<Acceleration> accelerations) {}

    record Acceleration(int mph, float seconds) {}

    /** Reads a car from position to limit of a little-endian buffer, and moves the position there. */
    static Car decode(ByteBuffer from) {
        from.position(from.position() + CarMessage.SERIAL_NUMBER_OFFSET);
        long serialNumber = from.getLong();
        int modelYear = from.getShort() & 0xFFFF;
        boolean available = from.get() != 0;
        char code = (char) from.get();
        List<Integer> someNumbers = new ArrayList<>(NUMBERS);
        for (int i = 0; i < NUMBERS; i++) {
            someNumbers.add(from.getInt());
        }
        String vehicleCode = text(from, 6);
        int extras = from.get();
        Engine engine = new Engine(from.getShort() & 0xFFFF, from.get(), text(from, 3), from.get(), booster(from));
        return new Car(
                serialNumber,
                modelYear,
                available,
                code,
                someNumbers,
                vehicleCode,
                extras,
                engine,
                fuelFigures(from),
                performanceFigures(from),
                text(from, from.getInt()),
                text(from, from.getInt()),
                text(from, from.getInt()));
    }

    private static Booster booster(ByteBuffer from) {
        return new Booster(from.get() != 0, (char) from.get(), from.get() & 0xFF);
    }

    private static List<FuelFigure> fuelFigures(ByteBuffer from) {
        int count = groupSize(from);
        List<FuelFigure> figures = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            figures.add(new FuelFigure(from.getShort() & 0xFFFF, from.getFloat(), text(from, from.getInt())));
        }
        return figures;
    }

    private static List<PerformanceFigure> performanceFigures(ByteBuffer from) {
        int count = groupSize(from);
        List<PerformanceFigure> figures = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int octaneRating = from.get();
            int accelerations = groupSize(from);
            List<Acceleration> values = new ArrayList<>(accelerations);
            for (int j = 0; j < accelerations; j++) {
                values.add(new Acceleration(from.getShort() & 0xFFFF, from.getFloat()));
            }
            figures.add(new PerformanceFigure(octaneRating, values));
        }
        return figures;
    }

    /** The number of a group's entries, which follows their length. */
    private static int groupSize(ByteBuffer from) {
        from.getShort();
        return from.getShort() & 0xFFFF;
    }

    private static String text(ByteBuffer from, int length) {
        byte[] bytes = new byte[length];
        from.get(bytes);
        return new String(bytes, US_ASCII);
    }
}
