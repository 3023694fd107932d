package io.persist.shard.location;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects by name. Each operation is atomic and durable when it returns, and seen by all handles of the same place.
 * Names are 1 to 200 characters of ASCII, from {@code !} to {@code ~}.
 *
 * <p>All throw {@link io.persist.shard.error.DeterminateException} if the operation surely did not happen, {@link
 * io.persist.shard.error.IndeterminateException} if it may have, and {@link IllegalArgumentException} for a name that
 * is none.
 *
 * <p><b>Threads:</b> any.
 */
public interface Blob extends AutoCloseable {

    /** The most characters of a name. */
    int MAX_NAME = 200;

    /** The bytes of {@code name}, which belong to the caller, or null if there is no such object. */
    byte @Nullable [] get(String name);

    /**
     * Reads an object into an array of the caller's; a place may do it without another array, which it does not here.
     *
     * @return the object's length; if that is greater than the array's nothing of use is in it; -1 if there is no such
     *     object
     */
    default long read(String name, byte[] target) {
        byte[] bytes = get(name);
        if (bytes == null) {
            return -1;
        }
        System.arraycopy(bytes, 0, target, 0, Math.min(bytes.length, target.length));
        return bytes.length;
    }

    /** Whether {@link #open} has but a piece of an object in memory: then more of them are merged at once. */
    default boolean hasPieces() {
        return false;
    }

    /**
     * Opens an object to read it piece by piece, or returns null if there is no such object. Only a place that
     * {@linkplain #hasPieces has pieces} can.
     */
    default @Nullable ObjectPieces open(String name) {
        throw new UnsupportedOperationException("the whole object, or nothing");
    }

    /**
     * Makes or replaces an object; readers see the old bytes or the new ones, never a mixture.
     *
     * @param bytes from its position to its limit, which stay where they are; the caller may change the bytes when this
     *     returns
     */
    void set(String name, ByteBuffer bytes);

    /** The same with all of an array. */
    default void set(String name, byte[] bytes) {
        set(name, ByteBuffer.wrap(bytes));
    }

    /**
     * Makes an object whose name is a new one. It may be repeated with the same bytes. A place that can tell replaces
     * nothing; others, as here, do as {@link #set} does.
     *
     * @param bytes as those of {@link #set}
     * @throws io.persist.shard.error.DamagedShardException if there is an object of this name with other bytes
     */
    default void create(String name, ByteBuffer bytes) {
        set(name, bytes);
    }

    /** The same with all of an array. */
    default void create(String name, byte[] bytes) {
        create(name, ByteBuffer.wrap(bytes));
    }

    /**
     * Deletes an object.
     *
     * @return its length, or -1 if there was none
     */
    long delete(String name);

    /**
     * Deletes objects; one that is not there does no harm. If it fails some of them may be gone. A place may do it
     * cheaper than one by one, as here.
     *
     * @return how long they were together; -1 if the place does not know it without asking for each
     */
    default long deleteAll(Collection<String> names) {
        long bytes = 0;
        for (String name : names) {
            bytes += Math.max(0, delete(name));
        }
        return bytes;
    }

    /** Gives each object whose name begins with {@code prefix} to {@code visitor}, with its length, in no order. */
    void list(String prefix, ObjLongConsumer<String> visitor);

    /** Gives back what the handle holds. The objects stay, unless they are in memory and this was the last handle. */
    @Override
    void close();

    /** The same bytes from the position to the limit, in an array; they are copied only if they are in none. */
    static ByteBuffer inArray(ByteBuffer bytes) {
        return bytes.hasArray()
                ? bytes
                : ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    }

    /** {@code name}, if it is one. */
    static String checkName(String name) {
        boolean isName = !name.isEmpty() && name.length() <= MAX_NAME;
        for (int i = 0; isName && i < name.length(); i++) {
            isName = name.charAt(i) >= '!' && name.charAt(i) <= '~';
        }
        if (!isName) {
            throw new IllegalArgumentException("name=" + name + ": 1 to 200 characters from ! to ~");
        }
        return name;
    }
}
