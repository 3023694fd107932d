package io.persist.memcached.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.persist.memcached.cache.Counters;
import io.persist.memcached.cache.Counters.Counter;
import io.persist.memcached.cache.Items;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a connection, on their way. Those that were made at once are a batch; a batch is sent when all changes
 * of which it tells are safe, and after the batches before it. One wait covers the batch, and the store has one sync
 * for all connections that wait.
 *
 * <p><b>Threads:</b> the connection's event loop; any may see what is unread, and close it.
 */
final class Answers implements LongConsumer, SlowClients.Client {

    /** What may be held before no further request is read, as {@link Taken} counts. */
    static final int MAX_HELD_BYTES = 256 << 10;

    private static final int FIRST_ROOM = 256;

    /** From here on a buffer is as long as it has to be; else up to twice as long. */
    private static final int LONG_VALUE = 16 << 10;

    private static final byte[] LINE_END = {'\r', '\n'};

    private record Batch(ByteBuf bytes, long position, int taken) {}

    private final ChannelHandlerContext context;
    private final GroupCommit commit;
    private final Counters counters;
    private final Runnable sent;
    private final Consumer<Throwable> failed;
    private final ArrayDeque<Batch> held = new ArrayDeque<>();
    private @Nullable ByteBuf current;
    private long position = Items.NOTHING; // of what the current batch tells, or the next one
    private long heldBytes;

    /** Calls {@code sent} when answers were sent or there is room again, and {@code failed} if they never can be. */
    Answers(
            ChannelHandlerContext context,
            GroupCommit commit,
            Counters counters,
            Runnable sent,
            Consumer<Throwable> failed) {
        this.context = context;
        this.commit = commit;
        this.counters = counters;
        this.sent = sent;
        this.failed = failed;
    }

    /** The batch waits for this position too. */
    @Override
    public void accept(long changed) {
        position = Math.max(position, changed);
    }

    /** A line, without its end. */
    void line(String text) {
        bytes(text.getBytes(ISO_8859_1));
        bytes(LINE_END);
    }

    void bytes(byte[] bytes) {
        bytes(bytes, 0, bytes.length);
    }

    void bytes(byte[] bytes, int offset, int length) {
        ByteBuf buffer = current;
        if (buffer == null) {
            buffer = context.alloc().buffer(Math.max(FIRST_ROOM, length));
            current = buffer;
        }
        if (length >= LONG_VALUE && length > buffer.writableBytes()) {
            buffer.capacity(buffer.writerIndex() + length + FIRST_ROOM);
        }
        buffer.writeBytes(bytes, offset, length);
    }

    /** Whether another answer may be made: the client reads, and the device syncs what all of them wait for. */
    boolean hasRoom() {
        ByteBuf buffer = current;
        return heldBytes + (buffer == null ? 0 : Taken.by(buffer)) < MAX_HELD_BYTES
                && context.channel().isWritable()
                && commit.hasRoom();
    }

    /** Sent, but not taken by the socket; Netty asks {@link Taken} too. */
    @Override
    public long unreadBytes() {
        ChannelOutboundBuffer unread = context.channel().unsafe().outboundBuffer();
        return unread == null ? 0 : unread.totalPendingWriteBytes(); // null: it is closed
    }

    @Override
    public void close() {
        var unused = context.close();
    }

    boolean isEmpty() {
        return current == null && held.isEmpty();
    }

    /** Ends the batch, and sends it as soon as that may be. */
    void endBatch() {
        ByteBuf buffer = current;
        if (buffer == null) {
            return; // the next answer, which may tell of what a silent request has changed, waits for that
        }
        long needed = position;
        boolean isSafe = commit.isSafe(needed);
        boolean isHeld = !held.isEmpty() || !isSafe;
        int taken = Taken.by(buffer);
        if (isHeld) {
            held.add(new Batch(buffer, needed, taken)); // first: without memory for it the buffer stays the current one
        }
        current = null;
        position = Items.NOTHING;
        if (!isHeld) {
            write(buffer);
            context.flush();
            return;
        }
        heldBytes += taken;
        commit.hold(taken);
        if (!isSafe) {
            commit.await(needed, this); // else what is held before it is awaited
        }
    }

    /** Sends what has become safe; after a failure what is held never will be. Whatever goes wrong is this one's. */
    void committed(@Nullable Throwable failure) {
        try {
            if (failure == null) {
                release();
            } else {
                failed.accept(failure);
            }
        } catch (RuntimeException | Error e) { // the others of the group wait for their turn
            context.pipeline().fireExceptionCaught(e);
        }
    }

    /** Its answers were sent, or there is room again that others had taken. */
    void goOn() {
        try {
            sent.run();
        } catch (RuntimeException | Error e) { // the others wait for their turn
            context.pipeline().fireExceptionCaught(e);
        }
    }

    private void release() {
        boolean any = false;
        for (Batch next = held.peek(); next != null && commit.isSafe(next.position); next = held.peek()) {
            held.remove();
            heldBytes -= next.taken;
            commit.hold(-next.taken);
            write(next.bytes);
            any = true;
        }
        if (any) {
            context.flush();
            commit.goesOn(this);
        }
    }

    private void write(ByteBuf buffer) {
        counters.add(Counter.BYTES_WRITTEN, buffer.readableBytes());
        var unused = context.write(buffer, context.voidPromise());
    }

    /** Forgets what was not sent. */
    void discard() {
        if (current != null) {
            current.release();
            current = null;
        }
        held.forEach(batch -> batch.bytes.release());
        held.clear();
        commit.hold(-heldBytes);
        heldBytes = 0;
        commit.remove(this);
    }
}
