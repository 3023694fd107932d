package io.persist.tool;

/** How a record's payload is printed. */
public enum PayloadStyle {
    /** What text output shows if nothing else is said: the beginning, as text if it is text, else in hexadecimal. */
    PREVIEW,
    /** What JSON output has if nothing else is said: all of it. */
    BASE64,
    /** All of it in hexadecimal. */
    HEX,
    /** All of it as UTF-8, with escapes for what cannot be seen. */
    TEXT,
    /** Not at all. */
    NONE
}
