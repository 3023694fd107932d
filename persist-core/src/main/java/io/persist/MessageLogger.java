package io.persist;

import io.persist.codec.Encoder;
import io.persist.codec.MessageOutput;
import io.persist.codec.Pool;
import io.persist.detached.DetachedConfig;
import io.persist.detached.DetachedLog;
import io.persist.file.Storage;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogWriter;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;

/**
 * A journal of messages.
 *
 * <pre>{@code
 * LogConfig config = LogConfig.builder(Path.of("journal")).build();
 * try (MessageLogger logger = MessageLogger.open(config)) {
 *     logger.append(message, 0, message.length);
 *     logger.commit(Durability.SYNCED);
 * }
 * }</pre>
 *
 * <p><b>Threads:</b> attached, which is the default, a logger belongs to the thread that uses it first: that one
 * appends, claims, commits, flushes, syncs and retires, and another one that does gets an {@link
 * IllegalStateException}, before anything is changed. When the first one has ended or called {@link #handOver}, the
 * next one that calls has the logger; with {@link LogConfig.Builder#guardedBy} whichever holds the lock. All else,
 * {@link #close} too, is for any thread. Detached, everything is for any thread: records go through a queue to a writer
 * thread. The records of each thread keep their order, and a commit covers all that its thread has appended. Each
 * {@link #tailer} has a thread of its own. Interrupts harm nothing.
 *
 * <p><b>Durability:</b> of the level that the configuration, or a single commit, asks for; see {@link Durability}.
 *
 * <p><b>Allocation:</b> none per append, claim and commit; {@code append} with an encoder none but the encoder's own.
 *
 * <p>Detached, {@code append} returns when the queue has the record: until the writer thread has taken it, a crash of
 * the process loses it in every write mode.
 *
 * <p><b>Errors:</b> after a failed write or sync every call throws the first cause, a
 * {@link io.persist.error.LogIOException}, until the log is opened anew. A {@link io.persist.error.LogFullException}
 * and a {@link io.persist.error.QueueFullException} end nothing.
 */
public final class MessageLogger extends Journal {

    /** What encoders write to: detached, several threads encode at once. */
    private final Pool<MessageOutput> outputs = new Pool<>(MessageOutput::new);

    private MessageLogger(LogWriter log, Durability durability) {
        super(log, durability);
    }

    /**
     * Opens the log in the configured directory, after recovering it from whatever stop; makes both if they do not
     * exist.
     *
     * @throws io.persist.error.LogLockedException if there is another writer
     * @throws io.persist.error.CorruptLogException if acknowledged records are damaged; nothing was changed
     * @throws io.persist.error.UnsupportedFormatException if the log is not one of messages, or a newer version wrote
     *     it; nothing was changed
     * @throws io.persist.error.LogIOException if the operating system refuses something
     */
    public static MessageLogger open(LogConfig config) {
        return new MessageLogger(Log.open(config), config.durability());
    }

    /** The same on a storage of the caller's, for tests. */
    public static MessageLogger open(LogConfig config, Storage storage) {
        return new MessageLogger(Log.open(config, storage), config.durability());
    }

    /** Opens the log detached, as {@link #open(LogConfig)} does: any thread may append, a writer thread writes. */
    public static MessageLogger open(LogConfig config, DetachedConfig detached) {
        return new MessageLogger(DetachedLog.over(Log.open(config.checkUnguarded()), detached), config.durability());
    }

    /** The same on a storage of the caller's, for tests. */
    public static MessageLogger open(LogConfig config, DetachedConfig detached, Storage storage) {
        return new MessageLogger(
                DetachedLog.over(Log.open(config.checkUnguarded(), storage), detached), config.durability());
    }

    /**
     * Appends a message.
     *
     * @return the position right after it
     * @throws IllegalArgumentException if it is longer than a segment allows
     * @throws io.persist.error.LogFullException if there is no space; the message was not accepted
     */
    public long append(byte[] message) {
        return log.append(message, 0, message.length);
    }

    /** Appends {@code length} bytes of {@code source} from {@code offset} on, as {@link #append(byte[])} does. */
    public long append(byte[] source, int offset, int length) {
        return log.append(source, offset, length);
    }

    /** Appends what remains of {@code source}, whose position stays as it is, as {@link #append(byte[])} does. */
    public long append(ByteBuffer source) {
        return log.append(source);
    }

    /** Appends {@code length} bytes of {@code source} from {@code offset} on, as {@link #append(byte[])} does. */
    public long append(DirectBuffer source, int offset, int length) {
        Claim claim = log.claim(length);
        boolean copied = false;
        try {
            ByteBuffer payload = claim.payload();
            source.getBytes(offset, payload, payload.position(), length);
            copied = true;
        } finally {
            if (!copied) {
                claim.abort();
            }
        }
        return claim.publish();
    }

    /**
     * Appends {@code message} as {@code encoder} writes it, as {@link #append(byte[])} does. If it throws, nothing is
     * appended.
     */
    public <T> long append(T message, Encoder<? super T> encoder) {
        MessageOutput output = outputs.take();
        try {
            int length = output.encode(message, encoder);
            return log.append(output.array(), 0, length);
        } finally {
            outputs.giveBack(output);
        }
    }

    /**
     * Space for a message of {@code length} bytes, to be filled in place and then published or aborted. No other call
     * of the appending thread may come in between.
     */
    public Claim claim(int length) {
        return log.claim(length);
    }
}
