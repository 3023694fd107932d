package io.persist.matrix;

import java.util.List;

/** An exercise that tries all of its subjects at the same time, because each run of it costs much: it starts JVMs. */
public interface JointExercise extends Exercise {

    void run(List<Subject> subjects, Effort effort) throws Exception;

    @Override
    default void run(Subject subject, Effort effort) throws Exception {
        run(List.of(subject), effort);
    }
}
