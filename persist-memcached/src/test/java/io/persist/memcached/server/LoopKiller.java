package io.persist.memcached.server;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.nio.NioIoOps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;

/** What ends an event loop by an error, as a full heap does: in the loop itself, where nothing catches it. */
final class LoopKiller implements NioIoHandle {

    private final Pipe pipe;

    private LoopKiller(Pipe pipe) {
        this.pipe = pipe;
    }

    static LoopKiller open() throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        return new LoopKiller(pipe);
    }

    /** Returns when the loop is about to end. */
    void kill(EventLoop loop) throws IOException {
        IoRegistration registration =
                ((IoEventLoop) loop).register(this).syncUninterruptibly().getNow();
        registration.submit(NioIoOps.READ);
        pipe.sink().write(ByteBuffer.allocate(1));
    }

    @Override
    public SelectableChannel selectableChannel() {
        return pipe.source();
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
        throw new OutOfMemoryError("of a test");
    }

    @Override
    public void close() throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }
}
