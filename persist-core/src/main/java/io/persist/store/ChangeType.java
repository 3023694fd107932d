package io.persist.store;

/** What a change did to its key, or to all keys of a range. */
public enum ChangeType {
    /** It gave it a value. */
    PUT,
    /** It took it away. */
    REMOVE,
    /** It took all keys of a range away: from its key on, and below its value; an empty value means: without end. */
    REMOVE_RANGE
}
