package io.persist.tool;

/** The form in which a tool prints what it has found. */
public enum Output {
    /** For people. */
    TEXT,
    /** Lines of JSON, one for each thing that is said. */
    JSON
}
