package io.persist.memcached;

import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.command.Text;
import io.persist.event.Notices;
import io.persist.memcached.MemcachedFlags.Mode;
import io.persist.memcached.cache.Cache;
import io.persist.memcached.cache.Counters;
import io.persist.memcached.cache.HeapItems;
import io.persist.memcached.cache.Items;
import io.persist.memcached.cache.StoredItems;
import io.persist.memcached.cache.Sweeper;
import io.persist.memcached.server.Server;
import io.persist.memcached.server.Stats;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** {@code bin/persist memcached}: a server for memcached's text protocol. */
public final class MemcachedProgram extends Program {

    private final MemcachedFlags flags = new MemcachedFlags();
    private final CompletableFuture<Throwable> end;

    /** At its defaults. */
    public MemcachedProgram() {
        this(new CompletableFuture<>());
    }

    /** One that serves until {@code end} is cancelled. */
    MemcachedProgram(CompletableFuture<Throwable> end) {
        this.end = end;
    }

    /** Runs until SIGTERM or Ctrl-C. */
    public static void main(String[] args) {
        Notices.off();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        CompletableFuture<Integer> ended = new CompletableFuture<>();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            end.cancel(false);
                            ended.completeOnTimeout(FAILED, 1, TimeUnit.MINUTES).join();
                        },
                        "stop"));
        try {
            int code = new MemcachedProgram(end).run(args, System.out, System.err);
            ended.complete(code);
            System.exit(code);
        } catch (RuntimeException | Error e) {
            halt(e);
        }
    }

    /** The other threads would go on without the main thread. There may be no memory, even to say so. */
    private static void halt(Throwable failure) {
        try {
            System.err.println("persist memcached: " + failure);
        } finally {
            Runtime.getRuntime().halt(FAILED);
        }
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        "memcached",
                        "",
                        "A server for memcached's text protocol, with its items in a store. See docs/memcached.md.")
                .example("a cache that a power cut takes a second of", "--mode async --data /data/cache")
                .exits("it could not start or go on");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    protected int work(Call call) throws IOException {
        flags.validate();
        InetAddress host = host();
        InetSocketAddress address = new InetSocketAddress(host, flags.port);
        Server.requireListening(address);
        try (Items items = open()) {
            return serve(items, host, address, call.out(), call.err());
        } catch (IllegalStateException e) { // it is the store of another program
            throw new IOException(e.getMessage(), e);
        }
    }

    private int serve(Items items, InetAddress host, InetSocketAddress address, PrintStream out, PrintStream err)
            throws IOException {
        Cache cache = new Cache(items, new MonotonicClock(), new Counters());
        Stats stats = new Stats(cache, () -> PersistenceStats.of(items, flags.mode), flags.stats(), err);
        Sweeper sweeper = Sweeper.start(cache);
        try (Server server = Server.start(cache, stats, address, flags.threads, flags.connections)) {
            if (!host.isLoopbackAddress()) {
                err.println(prefix() + "warning: whoever reaches " + flags.host + " can read and change everything");
            }
            out.print(Text.block(flags.settings()));
            out.println("ready on " + server.address().getAddress().getHostAddress() + ":"
                    + server.address().getPort() + " with " + items.count() + " items");
            out.flush();
            return await(err, end, server.failure(), sweeper.failure());
        } finally {
            sweeper.close();
        }
    }

    private InetAddress host() throws IOException {
        try {
            return InetAddress.getByName(flags.host);
        } catch (UnknownHostException e) {
            throw new IOException("--host " + flags.host + " is not known; name an address of this machine", e);
        }
    }

    private Items open() {
        if (flags.mode == Mode.OFF) {
            return new HeapItems((long) flags.memory << 20);
        }
        return StoredItems.open(flags.store(), flags.safety());
    }

    /** Waits for the end, or for a failure, which is one of the log or of a thread. */
    private int await(PrintStream err, CompletableFuture<?>... ends) {
        try {
            Object first = CompletableFuture.anyOf(ends).get();
            err.println(prefix() + Text.describe((Throwable) first) + "; the server ends: start it again");
            return FAILED;
        } catch (ExecutionException e) {
            return OK; // it was stopped
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OK;
        }
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
