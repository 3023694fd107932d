package io.persist.shard.location;

/**
 * An open object of a {@link Blob}: what it had when it was opened, also if it is deleted meanwhile.
 *
 * <p>{@link #read} throws as the methods of the blob do. <b>Threads:</b> one at a time.
 */
public interface ObjectPieces extends AutoCloseable {

    /** How long the object is. */
    long length();

    /**
     * Reads {@code length} bytes from the offset {@code from} on to {@code target}, from its index {@code at} on.
     *
     * @return how many: fewer only if the object ends before
     */
    int read(long from, byte[] target, int at, int length);

    /** Lets go of the object. */
    @Override
    void close();
}
