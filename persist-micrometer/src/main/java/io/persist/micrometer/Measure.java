package io.persist.micrometer;

import java.util.function.ToDoubleFunction;

/**
 * One meter of a logger or store of the type {@code L}.
 *
 * @param name as Micrometer has it, lower case and with dots
 * @param kind what kind of number it is
 * @param meaning one line
 * @param value the number: in ns for times, else in the unit of {@code kind}
 */
record Measure<L>(String name, Kind kind, String meaning, ToDoubleFunction<L> value) {

    /** Kinds of numbers. */
    enum Kind {
        /** Only grows, from the opening on. */
        COUNT("counter", ""),
        /** Bytes that only grow. */
        BYTE_COUNT("counter", "bytes"),
        /** Time that only grows. */
        TIME_COUNT("counter", "seconds"),
        /** A number at this moment. */
        NUMBER("gauge", ""),
        /** Bytes at this moment. */
        BYTES("gauge", "bytes"),
        /** A time at this moment. */
        TIME("gauge", "seconds");

        private final String type;
        private final String unit;

        Kind(String type, String unit) {
            this.type = type;
            this.unit = unit;
        }

        /** What Micrometer and Prometheus call it. */
        String type() {
            return type;
        }

        /** Its base unit, empty if there is none. */
        String unit() {
            return unit;
        }

        boolean isCounter() {
            return type.equals("counter");
        }

        boolean isTime() {
            return unit.equals("seconds");
        }
    }
}
