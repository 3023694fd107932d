package io.persist.memcached.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.persist.memcached.cache.Counters.Counter;
import io.persist.memcached.protocol.Request;
import io.persist.memcached.protocol.Request.Options;
import io.persist.memcached.protocol.RequestReader;
import io.persist.memcached.protocol.Verb;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One client. What it has sent is run at once, as long as there is room for the answers; else nothing more is read from
 * it until there is. So a client that never reads costs up to 2 MiB and holds up nobody; of many such clients see
 * {@link SlowClients}.
 *
 * <p><b>Threads:</b> its event loop.
 */
final class Connection extends ChannelInboundHandlerAdapter {

    private final Service service;
    private final GroupCommit commit; // of its event loop
    private final RequestReader reader = new RequestReader();
    private ByteBuf input = Unpooled.EMPTY_BUFFER; // what was received and not read as a request
    private @Nullable Answers answers;
    private @Nullable Commands commands;
    private boolean isEnding; // no further request is run
    private boolean hasAllInput;
    private boolean isRunning;

    Connection(Service service, GroupCommit commit) {
        this.service = service;
        this.commit = commit;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        Answers made = new Answers(
                context, commit, service.cache().counters(), () -> goOn(context), failure -> fail(context, failure));
        answers = made;
        commands = new Commands(service, made);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        service.open().incrementAndGet();
        service.cache().counters().count(Counter.TOTAL_CONNECTIONS);
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf received = (ByteBuf) message;
        service.cache().counters().add(Counter.BYTES_READ, received.readableBytes());
        if (isEnding) {
            received.release();
            return;
        }
        if (input.isReadable()) {
            try {
                ByteBuf both = context.alloc().buffer(input.readableBytes() + received.readableBytes());
                both.writeBytes(input).writeBytes(received);
                input.release();
                input = both;
            } finally {
                received.release();
            }
        } else {
            input.release();
            input = received;
        }
        run(context);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        endBatch(context);
        context.fireChannelReadComplete();
    }

    /** Whatever goes wrong ends this connection: the caller has others to serve. */
    private void goOn(ChannelHandlerContext context) {
        try {
            run(context);
            endBatch(context);
        } catch (RuntimeException | Error e) {
            exceptionCaught(context, e);
        }
    }

    /** Runs what has been received, as long as there is room for answers. */
    private void run(ChannelHandlerContext context) {
        Answers out = answers;
        Commands running = commands;
        if (isRunning || out == null || running == null) {
            return; // sending has made room while this runs
        }
        isRunning = true;
        try {
            while (!isEnding) {
                if (!out.hasRoom()) {
                    out.endBatch();
                    if (!out.hasRoom()) {
                        break;
                    }
                }
                if (running.isBusy()) {
                    running.goOn();
                    continue;
                }
                Request request = reader.next(input);
                if (request == null) {
                    break;
                }
                running.run(request);
                isEnding = request.verb() == Verb.QUIT || request.options() == Options.CLOSE;
            }
        } finally {
            isRunning = false;
        }
        if (isEnding || !input.isReadable()) {
            input.release();
            input = Unpooled.EMPTY_BUFFER;
        }
        boolean isStuck = !out.hasRoom();
        commit.awaitRoom(out);
        isEnding |= hasAllInput && !isStuck && !running.isBusy();
        context.channel().config().setAutoRead(!isStuck && !isEnding);
    }

    private void endBatch(ChannelHandlerContext context) {
        Answers out = answers;
        if (out != null) {
            out.endBatch();
            if (out.unreadBytes() > 0) {
                service.slow().add(out);
            }
            if (isEnding && out.isEmpty()) {
                close(context);
            }
        }
    }

    private static void close(ChannelHandlerContext context) {
        context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            context.executor().execute(() -> goOn(context));
        }
        context.fireChannelWritabilityChanged();
    }

    /** A client that sends no more still gets its answers. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            hasAllInput = true;
            goOn(context);
        }
        context.fireUserEventTriggered(event);
    }

    /** What is not safe may not be acknowledged, ever. */
    private void fail(ChannelHandlerContext context, Throwable failure) {
        service.failure().complete(failure);
        abort(context);
    }

    /** Sends nothing more, and no answer of which a part is missing. */
    private void abort(ChannelHandlerContext context) {
        isEnding = true;
        if (answers != null) {
            answers.discard();
        }
        var unused = context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        service.open().decrementAndGet();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        isEnding = true;
        input.release();
        input = Unpooled.EMPTY_BUFFER;
        if (answers != null) {
            answers.discard();
            service.slow().remove(answers);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        abort(context); // first: there may be no memory to say anything
        if (!(cause instanceof IOException)) { // which is a client that is gone
            service.stats().failedConnection(cause);
        }
    }
}
