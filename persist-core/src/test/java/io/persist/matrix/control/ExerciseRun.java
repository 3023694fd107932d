package io.persist.matrix.control;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Subject;

/** Runs an exercise by the names of things, as a {@link BrokenBuild} has it do with its own classes of them. */
public final class ExerciseRun {

    private ExerciseRun() {}

    public static void run(String exercise, String subject, String where) throws Exception {
        Exercise made = Class.forName(exercise)
                .asSubclass(Exercise.class)
                .getDeclaredConstructor()
                .newInstance();
        Effort effort = Effort.ofControl(where);
        made.run(Subject.named(subject), effort);
        if (effort.cases() == 0) {
            throw new IllegalStateException(exercise + " has tried nothing with " + subject);
        }
    }
}
