package io.persist.packet;

/** What a packet does to the object that its metadata names. */
public enum PacketOperation {
    /** None of these, or not said. */
    OTHER(0),
    /** The object is new. */
    CREATE(1),
    /** The object changes. */
    UPDATE(2),
    /** The object is gone. */
    REMOVE(3),
    /** The packet goes out to another system. */
    SEND(4);

    private static final PacketOperation[] BY_CODE = {OTHER, CREATE, UPDATE, REMOVE, SEND};

    private final byte code;

    PacketOperation(int code) {
        this.code = (byte) code;
    }

    /** The number that is stored. */
    public byte code() {
        return code;
    }

    /** The operation with the number {@code code}; OTHER if there is none. */
    public static PacketOperation of(byte code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : OTHER;
    }
}
