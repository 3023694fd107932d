package io.persist.micrometer;

import java.util.function.ToDoubleFunction;

/**
 * One meter of a logger or store of the type {@code L}.
 *
 * @param name as Micrometer has it, lower case and with dots
 * @param kind what kind of number it is
 * @param ofMany what it is of many logs
 * @param meaning one line
 * @param value the number: in ns for times, else in the unit of {@code kind}
 */
record Measure<L>(String name, Kind kind, OfMany ofMany, String meaning, ToDoubleFunction<L> value) {

    /** Of many logs it is their sum; or of times at this moment, whose sum says nothing, the longest one. */
    Measure(String name, Kind kind, String meaning, ToDoubleFunction<L> value) {
        this(name, kind, kind == Kind.TIME ? OfMany.MAXIMUM : OfMany.SUM, meaning, value);
    }

    /** The same measure, which is something else of many logs. */
    Measure<L> with(OfMany other) {
        return new Measure<>(name, kind, other, meaning, value);
    }

    /** What a measure is of many logs. */
    enum OfMany {
        SUM("sum", 0),
        MAXIMUM("maximum", 0),
        MINIMUM("minimum", Double.NaN),
        /** Nothing that says anything. */
        NOTHING("", Double.NaN);

        private final String word;
        private final double ofNone;

        OfMany(String word, double ofNone) {
            this.word = word;
            this.ofNone = ofNone;
        }

        /** As people call it. */
        String word() {
            return word;
        }

        /** What it is of no log. */
        double ofNone() {
            return ofNone;
        }

        /** What it is of those that have {@code before}, and of one more. */
        double of(double before, double one) {
            return switch (this) {
                case SUM -> before + one;
                case MAXIMUM -> Math.max(before, one);
                case MINIMUM -> Double.isNaN(before) ? one : Math.min(before, one);
                case NOTHING -> before;
            };
        }
    }

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
