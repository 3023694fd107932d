package io.persist.memcached;

import io.persist.command.Command;
import io.persist.command.CommandLine;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.error.PersistException;
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
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A server for memcached's text protocol.
 *
 * <pre>
 *   bin/persist memcached
 *   bin/persist memcached --port 11211 --mode async --data /data/cache
 * </pre>
 */
public final class MemcachedProgram {

    private static final String PREFIX = "persist memcached: ";

    private final MemcachedFlags flags;
    private final PrintStream out;
    private final PrintStream err;

    private MemcachedProgram(MemcachedFlags flags, PrintStream out, PrintStream err) {
        this.flags = flags;
        this.out = out;
        this.err = err;
    }

    /** Runs until SIGTERM or Ctrl-C. */
    public static void main(String[] args) {
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        CompletableFuture<Integer> ended = new CompletableFuture<>();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            end.cancel(false);
                            ended.completeOnTimeout(Command.FAILED, 1, TimeUnit.MINUTES)
                                    .join();
                        },
                        "stop"));
        try {
            int code = run(args, System.out, System.err, end);
            ended.complete(code);
            System.exit(code);
        } catch (RuntimeException | Error e) {
            halt(e);
        }
    }

    /** The other threads would go on without the main thread. There may be no memory, even to say so. */
    private static void halt(Throwable failure) {
        try {
            System.err.println(PREFIX + failure);
        } finally {
            Runtime.getRuntime().halt(Command.FAILED);
        }
    }

    /** Serves until {@code end} is cancelled; returns the exit code. */
    static int run(String[] args, PrintStream out, PrintStream err, CompletableFuture<Throwable> end) {
        MemcachedFlags flags = new MemcachedFlags();
        try {
            CommandLine commandLine = CommandLine.of(flags);
            commandLine.parse(args);
            if (flags.help) {
                out.println(
                        "A server for memcached's text protocol, with its items in a store. See docs/memcached.md.");
                out.println();
                commandLine.printFlags(out);
                return Command.OK;
            }
            flags.validate();
            return new MemcachedProgram(flags, out, err).serve(end);
        } catch (UsageException e) {
            err.println(PREFIX + Text.describe(e));
            return Command.USAGE;
        } catch (IOException | PersistException | IllegalStateException e) {
            err.println(PREFIX + Text.describe(e));
            return Command.FAILED;
        }
    }

    private int serve(CompletableFuture<Throwable> end) throws IOException {
        InetAddress host = host();
        InetSocketAddress address = new InetSocketAddress(host, flags.port);
        Server.requireListening(address);
        try (Items items = open()) {
            Cache cache =
                    new Cache(items, () -> TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()), new Counters());
            Stats stats = new Stats(cache, () -> PersistenceStats.of(items, flags.mode), flags.stats(), err);
            Sweeper sweeper = Sweeper.start(cache);
            try (Server server = Server.start(cache, stats, address, flags.threads, flags.connections)) {
                if (!host.isLoopbackAddress()) {
                    err.println(PREFIX + "warning: whoever reaches " + flags.host + " can read and change everything");
                }
                out.print(Text.block(flags.settings()));
                out.println("ready on " + server.address().getAddress().getHostAddress() + ":"
                        + server.address().getPort() + " with " + items.count() + " items");
                out.flush();
                return await(end, server.failure(), sweeper.failure());
            } finally {
                sweeper.close();
            }
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
    private int await(CompletableFuture<?>... ends) {
        try {
            Object first = CompletableFuture.anyOf(ends).get();
            err.println(PREFIX + Text.describe((Throwable) first) + "; the server ends: start it again");
            return Command.FAILED;
        } catch (ExecutionException e) {
            return Command.OK; // it was stopped
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Command.OK;
        }
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
