package io.persist.matrix;

import io.persist.support.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Makes JUnit's tests of exercises: one for each exercise and subject.
 *
 * <p>{@code -Drow=3} runs one row only, {@code -Dsubject=store-file-attached} one subject, {@code -Dpersist.minutes=60}
 * sets what a night may take for random cases in all.
 */
public final class Matrix {

    private Matrix() {}

    /** The tests of {@code exercises}, as the system properties choose. */
    public static Stream<DynamicTest> of(Exercise... exercises) {
        Integer row = Integer.getInteger("row");
        String subject = System.getProperty("subject");
        return Arrays.stream(exercises)
                .filter(exercise -> row == null || exercise.row().number() == row)
                .flatMap(exercise -> exercise.subjects().stream()
                        .filter(one -> subject == null || one.name().equals(subject))
                        .map(one -> test(exercise, one)));
    }

    private static DynamicTest test(Exercise exercise, Subject subject) {
        Row row = exercise.row();
        String where = row.number() + " " + exercise.getClass().getSimpleName() + " " + subject;
        return DynamicTest.dynamicTest(where, () -> {
            Effort effort =
                    new Effort("-Drow=" + row.number() + " -Dsubject=" + subject, Seeds.isNightly(), budget(exercise));
            long startNs = System.nanoTime();
            exercise.run(subject, effort);
            record(exercise, subject, effort, Duration.ofNanos(System.nanoTime() - startNs));
        });
    }

    private static Duration budget(Exercise exercise) {
        return Seeds.night()
                .multipliedBy(exercise.row().share())
                .dividedBy(100L * exercise.subjects().size());
    }

    private static void record(Exercise exercise, Subject subject, Effort effort, Duration time) throws IOException {
        if (effort.cases() == 0) {
            throw new AssertionError(exercise.getClass().getSimpleName() + " has tried nothing with " + subject);
        }
        Counts.add(exercise, subject, effort.cases(), time);
    }
}
