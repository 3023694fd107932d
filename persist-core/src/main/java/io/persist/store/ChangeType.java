package io.persist.store;

/** What a change did to its key. */
public enum ChangeType {
    /** It gave it a value. */
    PUT,
    /** It took it away. */
    REMOVE
}
