package io.persist.matrix;

import java.util.List;

/**
 * Does what a {@link Row} says to a subject, and throws, an AssertionError mostly, if the subject does not stand it.
 *
 * <p>It has a constructor without parameters and keeps nothing from run to run, so that a build that is broken on
 * purpose can run it too.
 */
public interface Exercise {

    Row row();

    /** What its tests are called. */
    default String title() {
        return getClass().getSimpleName();
    }

    /** The loggers it is for: all, unless the fault has nothing to do with some of them. */
    default List<Subject> subjects() {
        return Subject.all();
    }

    void run(Subject subject, Effort effort) throws Exception;
}
