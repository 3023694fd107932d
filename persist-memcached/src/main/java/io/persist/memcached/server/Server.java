package io.persist.memcached.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.internal.PlatformDependent;
import io.persist.memcached.cache.Cache;
import io.persist.memcached.cache.Counters.Counter;
import io.persist.memcached.cache.Vital;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Listens, and serves each connection on one of a few event loops.
 *
 * <p><b>Threads:</b> any may close it.
 */
public final class Server implements AutoCloseable {

    private static final byte[] TOO_MANY = "ERROR Too many open connections\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int BACKLOG = 1024;
    static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(128 << 10, 512 << 10);
    /** Of the direct memory: for what clients have not read, and as much again for what waits for a sync. */
    private static final long PART_OF_MEMORY = PlatformDependent.estimateMaxDirectMemory() / 4;

    private static final long QUIET_MS = 0;
    private static final long CLOSE_SECONDS = 10;

    private final EventLoopGroup loops;
    private final Map<EventLoop, GroupCommit> commits = new ConcurrentHashMap<>();
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Service service;
    private final int maxConnections;
    private final long mostHeldBytes; // of an event loop
    private final Channel listening;
    private volatile boolean isAccepting = true; // no attempt has failed since the last connection

    private Server(Service service, InetSocketAddress address, int threads, int maxConnections) throws IOException {
        this.service = service;
        this.maxConnections = maxConnections;
        this.mostHeldBytes = PART_OF_MEMORY / threads;
        this.loops =
                new MultiThreadIoEventLoopGroup(threads, threadFactory(service.failure()), NioIoHandler.newFactory());
        try {
            listening = bootstrap().bind(address).syncUninterruptibly().channel();
            listening.pipeline().addLast(new LastOfListening());
        } catch (Exception e) { // which a future throws as it is, declared or not
            shutDown();
            throw cannotListen(address, e);
        }
    }

    /**
     * Listens for a moment, before there is anything to serve: a store that cannot be reached need not be made, nor
     * opened, which may take its time.
     *
     * @throws IOException as of {@link #start}
     */
    public static void requireListening(InetSocketAddress address) throws IOException {
        try (ServerSocketChannel trial = ServerSocketChannel.open()) {
            trial.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(address, BACKLOG);
        } catch (IOException | RuntimeException e) {
            throw cannotListen(address, e);
        }
    }

    private static IOException cannotListen(InetSocketAddress address, Exception cause) {
        return new IOException(
                "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": " + cause.getMessage()
                        + "; stop what listens there, or give another --port or --host",
                cause);
    }

    /**
     * Begins to listen.
     *
     * @throws IOException if that cannot be: the port is in use, or not allowed, or the address not this machine's
     */
    public static Server start(Cache cache, Stats stats, InetSocketAddress address, int threads, int maxConnections)
            throws IOException {
        return start(Service.of(cache, stats, PART_OF_MEMORY), address, threads, maxConnections);
    }

    /** The same, for tests. */
    static Server start(Service service, InetSocketAddress address, int threads, int maxConnections)
            throws IOException {
        return new Server(service, address, threads, maxConnections);
    }

    /** Makes the threads of the event loops. Netty logs what has ended one, and goes on with the others. */
    private static ThreadFactory threadFactory(CompletableFuture<Throwable> failure) {
        ThreadFactory factory = new DefaultThreadFactory("memcached-loop");
        return loop -> factory.newThread(new Vital("an event loop", loop, failure));
    }

    private ServerBootstrap bootstrap() {
        return new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true) // else a client that vanishes keeps its place for ever
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childOption(ChannelOption.MESSAGE_SIZE_ESTIMATOR, Taken.ESTIMATOR)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                });
    }

    /**
     * Gets what Netty has of a connection that could not be accepted, after which it pauses for a second. Else it would
     * log that, for which Java may need a file: there is none if too many are open, and the event loop ends by that.
     */
    private final class LastOfListening extends ChannelInboundHandlerAdapter {

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (isAccepting) {
                isAccepting = false;
                service.stats().cannotAccept(cause);
            }
        }
    }

    private void accept(Channel channel) {
        isAccepting = true;
        if (channels.size() >= maxConnections) {
            service.cache().counters().count(Counter.REJECTED_CONNECTIONS);
            channel.writeAndFlush(Unpooled.wrappedBuffer(TOO_MANY)).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        channels.add(channel);
        GroupCommit commit = commits.computeIfAbsent(
                channel.eventLoop(),
                loop -> new GroupCommit(loop, service.cache().items(), mostHeldBytes, service.failure()::complete));
        channel.pipeline().addLast(new Connection(service, commit));
    }

    /** Where it listens; of port 0 the one that was free. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** Those of the clients that it serves, for tests. */
    ChannelGroup channels() {
        return channels;
    }

    /** Where clients come in, for tests. */
    Channel listening() {
        return listening;
    }

    /** Is completed when the server cannot go on: the log has failed, or an event loop has ended, as when it closes. */
    public CompletableFuture<Throwable> failure() {
        return service.failure();
    }

    /** Takes no more connections, closes those that there are, and ends the threads. */
    @Override
    public void close() {
        var unused = listening.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        shutDown();
    }

    /** Each loop closes the connections that it has. One that has ended by an error may never say that it has. */
    private void shutDown() {
        var unused = loops.shutdownGracefully(QUIET_MS, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(2 * CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
