package io.persist.store;

/** Whether changes say which value they replace. */
public enum OldValues {
    /** They do not: {@code ChangeReader.oldValue} is never there. */
    OMIT,
    /** They do, which costs each commit one look into the index per change. */
    RECORD
}
