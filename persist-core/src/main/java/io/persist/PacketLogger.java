package io.persist;

import io.persist.codec.Pool;
import io.persist.detached.DetachedLog;
import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogOpener;
import io.persist.log.engine.LogWriter;
import io.persist.memory.CheckedCopy;
import io.persist.memory.ReusedBuffer;
import io.persist.packet.Packet;
import io.persist.packet.PacketReader;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A journal of packets. A packet has several messages, and {@link io.persist.packet.PacketMetadata metadata} if wanted,
 * which are on the log all together or not at all.
 *
 * <pre>{@code
 * LogConfig config = LogConfig.builder(Path.of("journal")).build();
 * try (PacketLogger logger = PacketLogger.open(config)) {
 *     try (Packet packet = logger.packet()) {
 *         packet.metadata().operation(PacketOperation.UPDATE).transactionId(7);
 *         packet.add(order).add(payment);
 *         logger.append(packet);
 *     }
 *     logger.commit(Durability.SYNCED);
 * }
 * }</pre>
 *
 * <p>A packet is one record, with one number and one checksum; {@link io.persist.packet.PacketReader} takes it apart. A
 * log of packets holds nothing else: a {@link MessageLogger} refuses to open it, and this logger refuses a log of
 * messages.
 *
 * <p><b>Threads:</b> as {@link MessageLogger}: attached, which is the default, the logger belongs to the thread that
 * uses it first, and a call of another thread throws. Detached, any thread may call everything.
 *
 * <p><b>Durability:</b> a commit waits for the level that the configuration or the call names; see {@link Durability}.
 * At each level a packet is whole or not there.
 *
 * <p><b>Allocation:</b> none per packet, append and commit, once the packet has the size of the largest.
 *
 * <p><b>Errors:</b> as {@link MessageLogger}.
 */
public final class PacketLogger extends Journal {

    private final ThreadLocal<Packet> packets = ThreadLocal.withInitial(Packet::new);

    /** The memory for packets that are given as bytes: detached, several threads give some at once. */
    private final Pool<GivenPacket> copies = new Pool<>(GivenPacket::new);

    private PacketLogger(LogWriter log, LogConfig config) {
        super(log, config);
    }

    /**
     * Opens the log in the configured directory attached, and recovers it after a crash. It makes the directory and the
     * log if they do not exist. The caller has to close the logger.
     *
     * @throws io.persist.error.LogLockedException if the log has another writer, in this or another process, for longer
     *     than {@link LogConfig#lockTimeout}; or if the wait for it was interrupted
     * @throws io.persist.error.CorruptLogException if acknowledged records are damaged; nothing was changed
     * @throws io.persist.error.UnsupportedFormatException if the log is not one of packets, or a newer version wrote
     *     it; nothing was changed
     * @throws io.persist.error.LogIOException if the operating system refuses something, or the disk is full
     */
    public static PacketLogger open(LogConfig config) {
        return new PacketLogger(Log.open(config, LogContent.PACKETS), config);
    }

    /** Opens the log in {@code storage} in place of the configured directory, for tests. */
    public static PacketLogger open(LogConfig config, Storage storage) {
        return new PacketLogger(Log.open(config, LogContent.PACKETS, storage), config);
    }

    /**
     * Opens the log detached: any thread may append, and a writer thread writes. Else as {@link #open(LogConfig)}.
     *
     * @throws IllegalArgumentException if {@code config} names a lock, which only an attached logger can be guarded by
     */
    public static PacketLogger open(LogConfig config, DetachedConfig detached) {
        Objects.requireNonNull(detached, "detached"); // before the log is opened
        return new PacketLogger(
                DetachedLog.over(Log.open(LogOpener.unguarded(config), LogContent.PACKETS), detached), config);
    }

    /** Opens the log in {@code storage} detached, for tests. */
    public static PacketLogger open(LogConfig config, DetachedConfig detached, Storage storage) {
        Objects.requireNonNull(detached, "detached");
        return new PacketLogger(
                DetachedLog.over(Log.open(LogOpener.unguarded(config), LogContent.PACKETS, storage), detached), config);
    }

    /**
     * Clears the calling thread's packet and returns it. Each thread has one; {@code new Packet()} makes more of them.
     * Ask for it when all is there that goes into it: code that asks for it before the first addition gets the same.
     *
     * @throws IllegalStateException if something was added to it that was neither appended nor cleared: the code that
     *     added it would also append what the caller is about to add. The packet is unchanged. So is one whose append
     *     has failed: clear it, if it is not to be appended again
     */
    public Packet packet() {
        Packet own = packets.get();
        if (own.isOpen()) {
            throw new IllegalStateException("this thread's packet is open: messages=" + own.messageCount()
                    + ", metadata=" + (own.hasMetadata() ? "some" : "none") + ", neither appended nor cleared: append,"
                    + " clear or close it first, or take a new Packet() beside it. If nobody has it any more, call"
                    + " PacketLogger.clearPacket()");
        }
        return own.clear();
    }

    /** Clears the calling thread's packet, for code that has lost it, such as a pool's next task. */
    public void clearPacket() {
        packets.get().clear();
    }

    /**
     * Appends a packet as one record. It is BUFFERED when this returns; {@link #commit()} makes it durable. The packet
     * is copied, and can be changed, appended again or {@link Packet#clear cleared} afterwards. If this throws, the
     * packet is as it was, and {@linkplain Packet#isOpen open} as before. The owner calls it; detached, any thread.
     *
     * @return the position right after the packet
     * @throws IllegalArgumentException if it has neither a message nor metadata, or is longer than a segment allows
     * @throws io.persist.error.LogFullException if there is no space; the packet was not accepted
     * @throws io.persist.error.QueueFullException detached only: if the queue stays full; the packet was not accepted
     * @throws io.persist.error.LogIOException if the log has failed, or no segment can be made for the record
     * @throws IllegalStateException if the thread is not the owner, or the logger is closed
     */
    public long append(Packet packet) {
        checkNotEmpty(packet.messageCount(), packet.hasMetadata());
        long position = log.append(packet.payload());
        packet.appended(); // not if it was refused: then its messages are still to be appended
        return position;
    }

    /**
     * Appends the bytes of a packet, such as {@code Tailer.payload()} of another log: all that remains in the buffer,
     * whose position stays as it is. Else as {@link #append(Packet)}.
     *
     * @throws IllegalArgumentException if the bytes are not one whole packet with a message or metadata, or are longer
     *     than a segment allows
     * @throws io.persist.error.UnsupportedFormatException if a newer version has made the packet
     */
    public long append(ByteBuffer packet) {
        log.recordSpace().check(packet.remaining()); // before the copy, for which there may be no memory
        GivenPacket copy = copies.take();
        try {
            return log.append(copy.of(packet));
        } finally {
            if (packet.remaining() <= ReusedBuffer.MAX_KEPT) {
                copies.giveBack(copy);
            }
        }
    }

    /**
     * Whether an append of a packet of up to {@code length} bytes would have to wait now, as {@link
     * MessageLogger#wouldWait} says.
     *
     * @param length of the whole packet: its {@link Packet#length}, or the most that it can have. That is 8 bytes, 64
     *     for the metadata, and for each message its own and up to 7
     */
    public boolean wouldWait(int length) {
        return log.wouldWait(length);
    }

    private static void checkNotEmpty(int messages, boolean hasMetadata) {
        if (messages == 0 && !hasMetadata) {
            throw new IllegalArgumentException(
                    "packet is empty: messages=0, metadata=none; add a message or metadata before it is appended");
        }
    }

    /** A copy of bytes that were given, so that what is found to be a packet is what is appended. */
    private static final class GivenPacket {

        private final ReusedBuffer memory = new ReusedBuffer();
        private final CheckedCopy copy = new CheckedCopy();
        private final PacketReader reader = new PacketReader();

        ByteBuffer of(ByteBuffer source) {
            int length = source.remaining();
            ByteBuffer bytes = memory.ofLength(length).clear().limit(length);
            copy.copy(source, source.position(), bytes.array(), 0, length);
            try {
                reader.wrap(bytes);
            } catch (CorruptLogException e) {
                throw new IllegalArgumentException(
                        "the bytes are no whole packet: " + e.damage()
                                + "; append what a tailer of a log of packets gives, all of it",
                        e);
            }
            checkNotEmpty(reader.messageCount(), reader.hasMetadata());
            return bytes;
        }
    }
}
