package io.persist.fuzz;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What a user keeps of what he was given. What is his own stays what it was; what was only lent is empty afterwards, or
 * has other bytes that were once shown, and never any that nobody wrote.
 */
final class KeptBytes {

    private record Kept(byte[] then, List<ByteBuffer> own, ByteBuffer lent) {}

    private final List<Kept> kept = new ArrayList<>();

    /** Keeps {@code own} and {@code lent}, all of which have the bytes {@code expected}. */
    void keep(byte[] expected, ByteBuffer lent, ByteBuffer... own) {
        requireSame(expected, lent, "what is lent");
        for (ByteBuffer one : own) {
            requireSame(expected, one, "what is given");
        }
        kept.add(new Kept(expected, List.of(own), lent));
    }

    private static void requireSame(byte[] expected, ByteBuffer found, String what) {
        Use.require(ByteBuffer.wrap(expected).equals(found), what + " has other bytes than were written");
    }

    /** Looks at all of it; {@code written} is all that lent bytes may be. */
    void check(Collection<byte[]> written) {
        for (Kept one : kept) {
            one.own().forEach(own -> requireSame(one.then(), own, "what was kept"));
            Use.require(isOneOf(written, one.lent()), "what was lent has bytes that nobody wrote");
        }
    }

    private static boolean isOneOf(Collection<byte[]> written, ByteBuffer lent) {
        byte[] now = new byte[lent.remaining()];
        try {
            lent.get(lent.position(), now);
        } catch (BufferUnderflowException | IndexOutOfBoundsException takenBack) {
            return true;
        }
        return now.length == 0
                || written.stream().anyMatch(bytes -> ByteBuffer.wrap(bytes).equals(ByteBuffer.wrap(now)));
    }
}
