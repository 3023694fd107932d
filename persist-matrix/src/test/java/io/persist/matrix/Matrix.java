package io.persist.matrix;

import io.persist.support.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Makes JUnit's tests of exercises: one for each exercise and subject, or one for all subjects of a
 * {@link JointExercise}. A night takes all subjects. A build takes a part of those of an exercise that has many: a quarter
 * of twelve, else half, and each build another part, by chance.
 *
 * <p>{@code -Drow=3} runs one row only, {@code -Dsubject=store-file-attached} one subject, {@code -Dpersist.minutes=60}
 * sets what a night may take for random cases in all.
 */
public final class Matrix {

    /** Of so many subjects a build takes half. */
    private static final int MANY = 4;

    /** And a quarter of all. */
    private static final int ALL = Subject.all().size();

    private Matrix() {}

    /** The tests of {@code exercises}, as the system properties choose. */
    public static Stream<DynamicTest> of(Exercise... exercises) {
        Integer row = Integer.getInteger("row");
        String subject = System.getProperty("subject");
        return Arrays.stream(exercises)
                .filter(exercise -> row == null || exercise.row().number() == row)
                .flatMap(exercise -> tests(
                        exercise,
                        exercise.subjects().stream()
                                .filter(one -> subject == null || one.name().equals(subject))
                                .filter(one -> row != null || subject != null || hasItsTurn(one, exercise))
                                .toList()));
    }

    /**
     * Each half of the subjects has each logger, mapped and not, attached and detached, equally often; each quarter of all
     * has each logger once, mapped and not, attached and detached.
     */
    private static boolean hasItsTurn(Subject subject, Exercise exercise) {
        int subjects = exercise.subjects().size();
        if (Seeds.isNightly() || subjects < MANY) {
            return true;
        }
        int parts = subjects < ALL ? 2 : 4;
        int number = subject.logger().ordinal()
                + subject.writer().ordinal()
                + subject.writeMode().ordinal() * (parts / 2);
        return number % parts == part(exercise.title(), parts);
    }

    /** Which part of {@code what} this build takes, from 0, if each is one of {@code parts}. */
    public static int part(String what, int parts) {
        return Math.floorMod((Counts.RUN + what).hashCode(), parts);
    }

    private static Stream<DynamicTest> tests(Exercise exercise, List<Subject> subjects) {
        if (exercise instanceof JointExercise joint) {
            return subjects.isEmpty() ? Stream.empty() : Stream.of(test(joint, subjects));
        }
        return subjects.stream()
                .map(subject ->
                        test(exercise, List.of(subject), " " + subject, effort -> exercise.run(subject, effort)));
    }

    private static DynamicTest test(JointExercise joint, List<Subject> subjects) {
        String which = subjects.size() == 1 ? " " + subjects.get(0) : "";
        return test(joint, subjects, which, effort -> joint.run(subjects, effort));
    }

    @FunctionalInterface
    private interface Run {
        void with(Effort effort) throws Exception;
    }

    private static DynamicTest test(Exercise exercise, List<Subject> subjects, String which, Run run) {
        Row row = exercise.row();
        String where = row.number() + " " + exercise.title() + which;
        return DynamicTest.dynamicTest(where, () -> {
            String again = "-Drow=" + row.number() + (which.isEmpty() ? "" : " -Dsubject=" + subjects.get(0));
            Effort effort =
                    new Effort(again, Seeds.isNightly(), budget(exercise).multipliedBy(subjects.size()));
            long startNs = System.nanoTime();
            run.with(effort);
            record(exercise, subjects, effort, Duration.ofNanos(System.nanoTime() - startNs));
        });
    }

    private static Duration budget(Exercise exercise) {
        return Seeds.night()
                .multipliedBy(exercise.row().share())
                .dividedBy(100L * exercise.subjects().size());
    }

    private static void record(Exercise exercise, List<Subject> subjects, Effort effort, Duration time)
            throws IOException {
        long each = effort.cases() / subjects.size();
        if (each == 0) {
            throw new AssertionError(exercise.getClass().getSimpleName() + " has tried nothing with " + subjects);
        }
        for (Subject subject : subjects) {
            Counts.add(exercise, subject, each, time.dividedBy(subjects.size()));
        }
    }
}
