package io.persist.tool;

/** Whether a tool that changes logs does so. */
public enum Effect {
    /** It does. */
    APPLY,
    /** It only says what it would do, and needs no lock. */
    DRY_RUN
}
