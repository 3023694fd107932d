package io.persist.store;

/** What a change did to its key, or to all keys of a range. */
public enum ChangeType {
    /** The change gave the key a value. */
    PUT,
    /** The change removed the key. */
    REMOVE,
    /**
     * The change removed all keys of a range: from its key on, and below its value; with an empty value the range has
     * no end.
     */
    REMOVE_RANGE
}
