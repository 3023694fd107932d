package io.persist.bench.flags;

import io.persist.format.TransactionLayout;

/** How long the record of a transaction has to be able to be, as the store reckons when it takes another put. */
public final class TransactionSpace {

    private TransactionSpace() {}

    /**
     * For puts that are all alike.
     *
     * @param puts 1 or more
     * @param keyLength bytes
     * @param valueLength bytes
     * @return bytes; above that of the record itself by what the last put may be padded
     */
    public static long bytes(long puts, int keyLength, long valueLength) {
        long last = TransactionLayout.ENTRY_HEADER_LENGTH + keyLength + valueLength + TransactionLayout.ALIGNMENT - 1;
        return TransactionLayout.HEADER_LENGTH + (puts - 1) * entryBytes(keyLength, valueLength) + last;
    }

    /** Bytes of one put within a transaction, padded. */
    public static long entryBytes(int keyLength, long valueLength) {
        long length = TransactionLayout.ENTRY_HEADER_LENGTH + keyLength + valueLength;
        return (length + TransactionLayout.ALIGNMENT - 1) & -TransactionLayout.ALIGNMENT;
    }
}
