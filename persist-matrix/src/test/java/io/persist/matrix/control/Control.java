package io.persist.matrix.control;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/**
 * A broken build, and who finds it out.
 *
 * @param promise what it breaks: C1 to C17, or an assumption, of docs/durability.md
 * @param broken what is broken
 * @param exercise the one that has to fail
 * @param subject with this logger
 * @param defects what breaks it
 * @param circumstances changes without which it would not show, and which are none by themselves
 * @param place where the broken build runs
 */
record Control(
        String promise,
        String broken,
        Class<? extends Exercise> exercise,
        Subject subject,
        List<Defect> defects,
        List<Defect> circumstances,
        Place place)
        implements Exercise {

    /** Where a broken build runs. */
    enum Place {
        THIS_JVM,

        /** For one that may touch memory that is not mapped any more, which ends the JVM. */
        ITS_OWN_JVM
    }

    /** Only for builds that hang: whatever an exercise waits for in vain is a failure then. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** An exercise that draws where it strikes can miss what is broken once; in a build of many draws it does not. */
    private static final int DRAWS = 8;

    static Control of(
            String promise, String broken, Class<? extends Exercise> exercise, String subject, Defect... defects) {
        return new Control(
                promise, broken, exercise, Subject.named(subject), List.of(defects), List.of(), Place.THIS_JVM);
    }

    /** The same in a JVM of its own. If that one dies, it is found out what is broken. */
    Control inItsOwnJvm() {
        return new Control(promise, broken, exercise, subject, defects, circumstances, Place.ITS_OWN_JVM);
    }

    /** The same where {@code circumstance} helps it to show. */
    Control where(Defect circumstance) {
        return new Control(promise, broken, exercise, subject, defects, List.of(circumstance), place);
    }

    /** The same exercise with a build of the same kind that is not broken. */
    Control whole() {
        return new Control("none", "nothing", exercise, subject, List.of(), circumstances, Place.THIS_JVM);
    }

    /** All that is changed in its build. */
    List<Defect> changes() {
        return Stream.concat(defects.stream(), circumstances.stream()).toList();
    }

    @Override
    public Row row() {
        return Row.NEGATIVE_CONTROL;
    }

    @Override
    public List<Subject> subjects() {
        return List.of(subject);
    }

    @Override
    public String title() {
        return broken + " - " + exercise.getSimpleName();
    }

    @Override
    public void run(Subject with, Effort effort) throws Exception {
        effort.tried(1);
        if (place == Place.ITS_OWN_JVM) {
            ControlRun.runApart(this);
        } else {
            runHere();
        }
    }

    /** Runs the exercise with the broken build in this JVM. Throws an AssertionError if it does not find it out. */
    void runHere() {
        Throwable found = null;
        for (int draw = 0; draw < DRAWS && found == null; draw++) {
            found = failure();
        }
        if (found == null) {
            throw new AssertionError(exercise.getSimpleName() + " has not found out that " + broken + ": " + defects);
        }
        for (Throwable cause = found; cause != null; cause = cause.getCause()) {
            if (cause instanceof LinkageError || cause instanceof ReflectiveOperationException) {
                throw new AssertionError("the broken build cannot run: " + cause, found);
            }
        }
    }

    /** What the exercise throws, null if it passes. */
    Throwable failure() {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        BrokenBuild build = new BrokenBuild(changes()); // one that cannot be made is nothing that was found out
        Assertions.assertTimeoutPreemptively(LIMIT, () -> {
            try {
                build.run(exercise, subject, "-Drow=5 -Dcontrol=\"" + broken + "\"");
            } catch (Throwable failure) {
                thrown.set(failure);
            }
        });
        return thrown.get();
    }
}
