package io.persist.log;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** Says which of a log's oldest segments are not needed any more. */
public sealed interface RetentionRule {

    /** Segments that lie wholly below {@code position}. */
    record Below(long position) implements RetentionRule {}

    /** As many of the oldest segments as it takes to bring the log down to {@code bytes}. */
    record KeepBytes(long bytes) implements RetentionRule {

        /** @throws IllegalArgumentException if {@code bytes} is negative */
        public KeepBytes {
            if (bytes < 0) {
                throw new IllegalArgumentException("bytes=" + bytes + ", min=0");
            }
        }
    }

    /** Segments that were sealed longer than {@code age} ago: the next record came then, so theirs are older. */
    record KeepAge(Duration age) implements RetentionRule {

        /** @throws IllegalArgumentException if {@code age} is negative */
        public KeepAge {
            if (requireNonNull(age, "age").isNegative()) {
                throw new IllegalArgumentException("age=" + age + ", min=0");
            }
        }
    }

    /** Segments that lie wholly below {@code position} may go. */
    static RetentionRule below(long position) {
        return new Below(position);
    }

    /**
     * The oldest segments may go until the log takes at most {@code bytes} bytes.
     *
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    static RetentionRule keepBytes(long bytes) {
        return new KeepBytes(bytes);
    }

    /**
     * Segments that were sealed longer than {@code age} ago may go.
     *
     * @throws IllegalArgumentException if {@code age} is negative
     */
    static RetentionRule keepAge(Duration age) {
        return new KeepAge(age);
    }
}
