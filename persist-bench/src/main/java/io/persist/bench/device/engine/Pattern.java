package io.persist.bench.device.engine;

/** Which block comes next. */
public enum Pattern {
    /** The next one of a file that is filled, and behind the last one the first. */
    SEQ,
    /** Any one of a file that is filled, each as likely. */
    RAND,
    /** The one behind the end of a file that grows from empty. */
    APPEND
}
