package io.persist.log;

/** When the initial length of a log is filled with zeros. */
public enum Prefill {
    /** By the background filler, while appends go on. */
    BACKGROUND,
    /** Wholly before {@code open} returns. */
    BEFORE_OPEN
}
