package io.persist;

import io.persist.detached.DetachedConfig;
import io.persist.detached.DetachedLog;
import io.persist.file.Storage;
import io.persist.format.LogContent;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogWriter;
import io.persist.packet.Packet;

/**
 * A journal of packets: several messages, and {@link io.persist.packet.PacketMetadata metadata} if wanted, that are on
 * the log all together or not at all.
 *
 * <pre>{@code
 * LogConfig config = LogConfig.builder(Path.of("journal")).build();
 * try (PacketLogger logger = PacketLogger.open(config)) {
 *     Packet packet = logger.packet();
 *     packet.metadata().operation(PacketOperation.UPDATE).transactionId(7);
 *     packet.add(order).add(payment);
 *     logger.append(packet);
 *     logger.commit(Durability.SYNCED);
 * }
 * }</pre>
 *
 * <p>A packet is one record, with one number and one checksum; {@link io.persist.packet.PacketReader} takes it apart. A
 * log of packets holds nothing else: a {@link MessageLogger} refuses to open it, and the other way round.
 *
 * <p><b>Threads:</b> as those of a {@link MessageLogger}: attached, which is the default, it belongs to the thread that
 * uses it first, and a call of another one throws. Detached, everything is for any thread.
 *
 * <p><b>Durability:</b> of the level that the configuration, or a single commit, asks for; see {@link Durability}. At
 * each level a packet is whole or not there.
 *
 * <p><b>Allocation:</b> none per packet, append and commit, once the packet has the size of the largest.
 *
 * <p><b>Errors:</b> as those of a {@link MessageLogger}.
 */
public final class PacketLogger extends Journal {

    private final ThreadLocal<Packet> packets = ThreadLocal.withInitial(Packet::new);

    private PacketLogger(LogWriter log, Durability durability) {
        super(log, durability);
    }

    /**
     * Opens the log in the configured directory, after recovering it from whatever stop; makes both if they do not
     * exist.
     *
     * @throws io.persist.error.LogLockedException if there is another writer
     * @throws io.persist.error.CorruptLogException if acknowledged records are damaged; nothing was changed
     * @throws io.persist.error.UnsupportedFormatException if the log is not one of packets, or a newer version wrote
     *     it; nothing was changed
     * @throws io.persist.error.LogIOException if the operating system refuses something
     */
    public static PacketLogger open(LogConfig config) {
        return new PacketLogger(Log.open(config, LogContent.PACKETS), config.durability());
    }

    /** The same on a storage of the caller's, for tests. */
    public static PacketLogger open(LogConfig config, Storage storage) {
        return new PacketLogger(Log.open(config, LogContent.PACKETS, storage), config.durability());
    }

    /** Opens the log detached, as {@link #open(LogConfig)} does: any thread may append, a writer thread writes. */
    public static PacketLogger open(LogConfig config, DetachedConfig detached) {
        return new PacketLogger(
                DetachedLog.over(Log.open(config.checkUnguarded(), LogContent.PACKETS), detached), config.durability());
    }

    /** The same on a storage of the caller's, for tests. */
    public static PacketLogger open(LogConfig config, DetachedConfig detached, Storage storage) {
        return new PacketLogger(
                DetachedLog.over(Log.open(config.checkUnguarded(), LogContent.PACKETS, storage), detached),
                config.durability());
    }

    /**
     * This thread's packet, begun anew: whatever was in it is gone. There is one for each thread; who needs several at
     * once makes them with {@code new Packet()}.
     */
    public Packet packet() {
        return packets.get().clear();
    }

    /**
     * Appends a packet as one record. It is copied, and can be changed, appended again or {@link Packet#clear cleared}
     * afterwards.
     *
     * @return the position right after it
     * @throws IllegalArgumentException if it has neither a message nor metadata, or is longer than a segment allows
     * @throws io.persist.error.LogFullException if there is no space; the packet was not accepted
     */
    public long append(Packet packet) {
        if (packet.isEmpty()) {
            throw new IllegalArgumentException(
                    "packet is empty: messages=0, metadata=none; add a message or metadata before it is appended");
        }
        return log.append(packet.payload());
    }
}
