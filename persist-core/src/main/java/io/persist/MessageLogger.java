package io.persist;

import io.persist.codec.Encoder;
import io.persist.codec.MessageOutput;
import io.persist.codec.Pool;
import io.persist.detached.DetachedLog;
import io.persist.file.Storage;
import io.persist.log.Claim;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogOpener;
import io.persist.log.engine.LogWriter;
import io.persist.memory.ReusedBuffer;
import java.nio.ByteBuffer;
import java.util.Objects;
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
 * <p><b>Threads:</b> attached, which is the default, a logger belongs to the thread that uses it first, its owner. Only
 * the owner appends, claims, commits, flushes, syncs and rolls; another thread that tries gets an {@link
 * IllegalStateException} before anything is changed. When the owner has ended or has called {@link #handOver}, the next
 * thread that calls becomes the owner. With {@link LogConfig.Builder#guardedBy} the owner is the thread that holds the
 * lock. Any thread may call all other methods, {@link #close} too. Detached, any thread may call everything: records go
 * through a queue to a writer thread. The records of each thread keep their order, and a commit covers all that its
 * thread has appended. Each {@link #tailer} is used by one thread at a time. Interrupts harm no record.
 *
 * <p><b>Durability:</b> a commit waits for the level that the configuration or the call names; see {@link Durability}.
 * Detached, {@code append} returns when the queue has the record: until the writer thread has taken it, a crash of the
 * process loses it in every write mode.
 *
 * <p><b>Allocation:</b> none per append, claim and commit, but for long messages: memory of more than 1 MiB for an
 * encoder or a claim is not kept; detached, a message that is longer than an entry's share of {@link
 * DetachedConfig#queueBytes} (64 KiB by default) gets memory of its own, and so does one of more than 16 KiB that comes
 * by a claim or from memory off the heap. An append with an encoder allocates what the encoder does.
 *
 * <p><b>Errors:</b> after a failed write or sync every call that writes, or waits for a write, throws the first failure
 * again, a {@link io.persist.error.LogIOException}, until the log is opened again. Positions, numbers, reports and
 * tailers can still be asked for. After a {@link io.persist.error.LogFullException} or a {@link
 * io.persist.error.QueueFullException} the logger goes on.
 */
public final class MessageLogger extends Journal {

    /** The memory that encoders write to: detached, several threads encode at once. */
    private final Pool<MessageOutput> outputs = new Pool<>(MessageOutput::new);

    private MessageLogger(LogWriter log, LogConfig config) {
        super(log, config);
    }

    /**
     * Opens the log in the configured directory attached, and recovers it after a crash. It makes the directory and the
     * log if they do not exist. The caller has to close the logger.
     *
     * @throws io.persist.error.LogLockedException if the log has another writer, in this or another process, for longer
     *     than {@link LogConfig#lockTimeout}; or if the wait for it was interrupted
     * @throws io.persist.error.CorruptLogException if acknowledged records are damaged; nothing was changed
     * @throws io.persist.error.UnsupportedFormatException if the log is not one of messages, or a newer version wrote
     *     it; nothing was changed
     * @throws io.persist.error.LogIOException if the operating system refuses something, or the disk is full
     */
    public static MessageLogger open(LogConfig config) {
        return new MessageLogger(Log.open(config), config);
    }

    /** Opens the log in {@code storage} in place of the configured directory, for tests. */
    public static MessageLogger open(LogConfig config, Storage storage) {
        return new MessageLogger(Log.open(config, storage), config);
    }

    /**
     * Opens the log detached: any thread may append, and a writer thread writes. Else as {@link #open(LogConfig)}.
     *
     * @throws IllegalArgumentException if {@code config} names a lock, which only an attached logger can be guarded by
     */
    public static MessageLogger open(LogConfig config, DetachedConfig detached) {
        Objects.requireNonNull(detached, "detached"); // before the log is opened
        return new MessageLogger(DetachedLog.over(Log.open(LogOpener.unguarded(config)), detached), config);
    }

    /** Opens the log in {@code storage} detached, for tests. */
    public static MessageLogger open(LogConfig config, DetachedConfig detached, Storage storage) {
        Objects.requireNonNull(detached, "detached");
        return new MessageLogger(DetachedLog.over(Log.open(LogOpener.unguarded(config), storage), detached), config);
    }

    /**
     * Appends a message. It is BUFFERED when this returns; {@link #commit()} makes it durable. The bytes are copied.
     * The owner calls it; detached, any thread.
     *
     * @return the position right after the message
     * @throws IllegalArgumentException if the message is longer than a segment allows
     * @throws io.persist.error.LogFullException if there is no space; the message was not accepted
     * @throws io.persist.error.QueueFullException detached only: if the queue stays full; the message was not accepted
     * @throws io.persist.error.LogIOException if the log has failed, or no segment can be made for the record
     * @throws IllegalStateException if the logger is closed; attached, also if the thread is not the owner or a claim
     *     is open
     */
    public long append(byte[] message) {
        return log.append(message, 0, message.length);
    }

    /** Appends {@code length} bytes of {@code source} from {@code offset} on, as {@link #append(byte[])} does. */
    public long append(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length); // first: it may be too long for the log, too
        return log.append(source, offset, length);
    }

    /**
     * Appends what remains of {@code source}, whose position stays as it is, as {@link #append(byte[])} does. If the
     * memory of {@code source} was closed, this throws, and the message is not accepted.
     *
     * <p>Do not cut the file of a mapped buffer that is being appended. Attached, the JVM may say so only later, by an
     * {@link InternalError}: a message may have been accepted with other bytes, and the log may fail. Detached, the
     * message is not accepted; but of fewer than 8 bytes the error may come later, too.
     *
     * @throws IllegalArgumentException detached, also if {@code source} is mapped from a file that was cut
     */
    public long append(ByteBuffer source) {
        return log.append(source);
    }

    /**
     * Appends {@code length} bytes of {@code source} from {@code offset} on, as {@link #append(ByteBuffer)} does.
     * Detached, a {@code source} that wraps an address and not a buffer costs a microsecond more.
     */
    public long append(DirectBuffer source, int offset, int length) {
        return log.append(source, offset, length);
    }

    /**
     * Appends {@code message} as {@code encoder} writes it, as {@link #append(byte[])} does. If the encoder throws,
     * nothing is appended.
     */
    public <T> long append(T message, Encoder<? super T> encoder) {
        MessageOutput output = outputs.take();
        try {
            int length = output.encode(message, encoder);
            return log.append(output.array(), 0, length);
        } finally {
            if (output.array().length <= ReusedBuffer.MAX_KEPT) {
                outputs.giveBack(output);
            }
        }
    }

    /**
     * Whether an append or a claim of up to {@code length} bytes would have to wait now. It is the back pressure of a
     * loop that must not wait. Attached, an append waits if the space for it is not prepared yet, which is also how
     * {@code maxUnsyncedBytes} holds it up, and if it has to be slowed down to the speed of the device. Detached, it
     * waits for room in the queue. After {@code true} do something else and ask again: what the append would wait for
     * comes without it. After {@code false} the thread's next call does not wait, if it is that append. Detached, other
     * threads that append may have the room first.
     *
     * <p>An append may still be held up by what this does not know: a page fault, the lock of {@code guardedBy}, the
     * file system when a segment ends, and in {@code FILE} mode the write of a full buffer. With the file modes {@code
     * RWD} and {@code RWS} that write waits for the device; a call of this method that returns true may do it, too.
     *
     * <p>The owner calls it; detached, any thread. It allocates nothing. No statistics count that it was true.
     *
     * @param length 0 or more bytes; for a message that an encoder is still to write, the most that it can have
     * @throws IllegalArgumentException as {@link #append(byte[])} does
     * @throws io.persist.error.LogFullException if there is no space; attached, it has returned true before
     * @throws io.persist.error.LogIOException as {@link #append(byte[])} does
     * @throws IllegalStateException as {@link #append(byte[])} does
     */
    public boolean wouldWait(int length) {
        return log.wouldWait(length);
    }

    /**
     * Gives a buffer for a message of {@code length} bytes. The caller fills it, and then publishes or aborts the
     * claim: best make the claim the resource of a {@code try}. Until then the thread must not append, commit, flush or
     * sync, nor await a position that it would have to flush for. It throws what {@link #append(byte[])} throws:
     * attached, this call finds out that the disk is full, and not {@link Claim#publish}.
     *
     * @param length 0 or more bytes
     */
    public Claim claim(int length) {
        return log.claim(length);
    }

    /**
     * Aborts the claim that is in the calling thread's way, for code that has lost it, such as a pool's next task;
     * without one it does nothing. Attached, under a lock, another thread may have begun it.
     *
     * @throws IllegalStateException as {@link Claim#abort} does
     */
    public void abortClaim() {
        log.abortClaim();
    }
}
