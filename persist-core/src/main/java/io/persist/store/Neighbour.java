package io.persist.store;

/** Which key near to a given one is wanted, in the order of the keys: as {@link java.util.NavigableMap} has it. */
public enum Neighbour {
    /** The greatest key that is less. */
    LOWER,
    /** The greatest key that is not greater. */
    FLOOR,
    /** The least key that is not less. */
    CEILING,
    /** The least key that is greater. */
    HIGHER;
}
