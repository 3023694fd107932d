package io.persist.kafka;

/** What Kafka puts into the values of a store. The store keeps the bytes as they are, and remembers what they are. */
enum ValueFormat {
    /** The bytes of the value alone. */
    PLAIN(0, "key-value store"),
    /** A timestamp of 8 bytes, then the value. */
    TIMESTAMPED(1, "timestamped key-value store"),
    /** Headers, a timestamp, then the value. */
    WITH_HEADERS(2, "timestamped key-value store with headers");

    private final int code;
    private final String description;

    ValueFormat(int code, String description) {
        this.code = code;
        this.description = description;
    }

    /** What stands for it on disk. */
    int code() {
        return code;
    }

    /** What messages call a store of this format. */
    String description() {
        return description;
    }

    /** The format that {@code code} stands for on disk. */
    static ValueFormat of(int code) {
        for (ValueFormat format : values()) {
            if (format.code == code) {
                return format;
            }
        }
        throw new IllegalArgumentException("format=" + code + ", min=0, max=" + (values().length - 1));
    }
}
