package io.persist.tool.text;

/** How a record's payload is printed. */
public enum PayloadStyle {
    /** What text and HTML show if nothing else is said: the beginning, as text if it is text, else in hexadecimal. */
    PREVIEW("preview"),
    /** What JSON and CSV have if nothing else is said: all of it. */
    BASE64("payload"),
    /** All of it in hexadecimal. */
    HEX("hex"),
    /** All of it as UTF-8, with escapes for what cannot be seen; CSV has it as it is. */
    TEXT("text"),
    /** Not at all. */
    NONE("");

    private final String key;

    PayloadStyle(String key) {
        this.key = key;
    }

    /** The name that a payload has in JSON and CSV. */
    public String key() {
        return key;
    }
}
