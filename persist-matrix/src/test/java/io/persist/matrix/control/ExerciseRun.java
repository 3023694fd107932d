package io.persist.matrix.control;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Subject;
import io.persist.support.ChildJvm;
import java.nio.file.Path;

/** Runs an exercise by the names of things, as a {@link BrokenBuild} has it do with its own classes of them. */
public final class ExerciseRun {

    private ExerciseRun() {}

    /** The JVMs that the exercise starts take what is below {@code changes} from there. */
    public static void run(String exercise, String subject, String where, String changes) throws Exception {
        ChildJvm.takeFirst(Path.of(changes));
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
