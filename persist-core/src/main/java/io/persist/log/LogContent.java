package io.persist.log;

/**
 * The kind of a log's records. It is written in each segment's header, so that one kind is not taken for another.
 *
 * <p>Part of the file format. Never change; add.
 */
public enum LogContent {
    /** Each record is a message: bytes that mean something to the user only. */
    MESSAGES(0, "messages", "MessageLogger", "Tailer.open(directory)"),
    /** Each record is a packet: a group of messages. */
    PACKETS(1, "packets", "PacketLogger", "Tailer.open with content(LogContent.PACKETS), and a PacketReader"),
    /** Each record is a transaction of a store. */
    TRANSACTIONS(2, "transactions", "StoreLogger", "StoreView, or ChangeReader.open");

    private static final LogContent[] BY_CODE = values();

    private final int code;
    private final String plural;
    private final String logger;
    private final String reader;

    LogContent(int code, String plural, String logger, String reader) {
        this.code = code;
        this.plural = plural;
        this.logger = logger;
        this.reader = reader;
    }

    /** The byte in the header. */
    public int code() {
        return code;
    }

    /** What the records are called, for people. */
    public String plural() {
        return plural;
    }

    /** The simple name of the class that writes such a log, for people. */
    public String logger() {
        return logger;
    }

    /** What reads such a log without writing it, for people. */
    public String reader() {
        return reader;
    }

    /** Whether there is a content with this code. */
    public static boolean isKnown(int code) {
        return code >= 0 && code < BY_CODE.length;
    }

    /** The content with this code, which is known. */
    public static LogContent of(int code) {
        return BY_CODE[code];
    }
}
