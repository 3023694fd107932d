package io.persist.peers.state.workflow;

import io.persist.peers.state.StateData;
import io.persist.peers.state.StateEngine;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * A checksum over entries, which does not depend on their order: two states with the same digest have the same keys
 * with the same values.
 *
 * <p><b>Threads:</b> one.
 */
public final class StateDigest implements StateEngine.Visitor {

    private static final int SCANNED = 1000;

    private final CRC32 crc32 = new CRC32();
    private final CRC32C crc32c = new CRC32C();
    private long sum;
    private long entries;
    private long bytes;

    /** Of all that an engine holds. */
    public static StateDigest of(StateEngine engine, int maxValueLength) {
        StateDigest digest = new StateDigest();
        byte[][] from = {{0}};
        StateEngine.Visitor visitor = (key, keyLength, value, valueLength) -> {
            digest.entry(key, keyLength, value, valueLength);
            from[0] = Arrays.copyOf(key, keyLength + 1); // what comes right after it
            from[0][keyLength] = 0;
        };
        while (engine.scan(from[0], SCANNED, maxValueLength, visitor) > 0) {
            // The next ones.
        }
        return digest;
    }

    /** Of what the workload leaves. */
    public static StateDigest of(WorkflowState state) {
        StateDigest digest = new StateDigest();
        state.forEach(digest);
        return digest;
    }

    @Override
    public void entry(byte[] key, int keyLength, byte[] value, int valueLength) {
        crc32.reset();
        crc32.update(key, 0, keyLength);
        crc32.update(value, 0, valueLength);
        crc32c.reset();
        crc32c.update(key, 0, keyLength);
        crc32c.update(value, 0, valueLength);
        sum += StateData.mix(crc32.getValue() << 32 | crc32c.getValue()) + StateData.mix(keyLength);
        entries++;
        bytes += keyLength + valueLength;
    }

    public long entries() {
        return entries;
    }

    /** All keys and values together. */
    public long bytes() {
        return bytes;
    }

    /** 16 hexadecimal digits. */
    public String checksum() {
        return String.format("%016x", sum);
    }

    /** @throws IllegalStateException if this is not what was {@code expected} */
    public void require(StateDigest expected, String when) {
        if (sum != expected.sum || entries != expected.entries || bytes != expected.bytes) {
            throw new IllegalStateException(
                    "the state is not what it should be " + when + ": found " + this + ", expected " + expected);
        }
    }

    @Override
    public String toString() {
        return "entries=" + entries + ", bytes=" + bytes + ", checksum=" + checksum();
    }
}
