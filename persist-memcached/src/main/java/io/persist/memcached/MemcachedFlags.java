package io.persist.memcached;

import com.beust.jcommander.Parameter;
import com.sun.management.UnixOperatingSystemMXBean;
import io.persist.command.Checks;
import io.persist.command.UsageException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.memcached.cache.StoredItems.Safety;
import io.persist.store.StoreConfig;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The flags of {@link MemcachedProgram}. */
final class MemcachedFlags {

    /** When a change is acknowledged, and what it survives. */
    enum Mode {
        OFF,
        ASYNC,
        SYNC
    }

    private static final int MOST_CONNECTIONS = 1024; // by default
    private static final int OTHER_FILES = 640;

    @Parameter(
            names = {"-p", "--port"},
            order = 1,
            placeholder = "PORT",
            description = "where to listen; 0 for any that is free")
    int port = 11211;

    @Parameter(
            names = {"-l", "--host"},
            order = 2,
            placeholder = "ADDRESS",
            description = "where to listen; there are no passwords, so another than the loopback address is a risk")
    String host = "127.0.0.1";

    @Parameter(
            names = "--mode",
            order = 3,
            placeholder = "MODE",
            description = "off: a map on the heap; async: a store that is synced at intervals; sync: answers wait for"
                    + " the sync")
    Mode mode = Mode.SYNC;

    @Parameter(
            names = "--data",
            order = 4,
            placeholder = "DIR",
            description = "the store's directory, which is made if there is none")
    Path data = Path.of("memcached-data");

    @Parameter(
            names = "--sync-interval",
            order = 5,
            placeholder = "MS",
            description = "what a power cut may take: in async; in sync, of what has no answer")
    int syncInterval = 1000;

    @Parameter(
            names = "--checkpoint-percent",
            order = 6,
            placeholder = "N",
            description = "how much longer than the changed part of the index the log gets before a checkpoint")
    int checkpointPercent = 100;

    @Parameter(
            names = "--checkpoint-min-log",
            order = 7,
            placeholder = "MB",
            description = "the least log before a checkpoint, in MiB")
    int checkpointMinLog = 256;

    @Parameter(
            names = {"-m", "--memory"},
            order = 8,
            placeholder = "MB",
            defaultValueDescription = "half of the heap",
            description = "off: what items may take, in MiB; nothing is evicted")
    int memory = (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / 2 >> 20);

    @Parameter(
            names = {"-c", "--connections"},
            order = 9,
            placeholder = "N",
            defaultValueDescription = "1024, or what ulimit -n leaves",
            description = "the most at once; others are refused")
    int connections = (int) Math.min(MOST_CONNECTIONS, mostConnections(openFiles()));

    @Parameter(
            names = {"-t", "--threads"},
            order = 10,
            placeholder = "N",
            description = "event loops")
    int threads = Math.min(4, Runtime.getRuntime().availableProcessors());

    /**
     * How many connections a process with so many open files can have. The others are those of the JVM and of the
     * store, which reads from up to 512 and fails if it cannot make one; few are shared out by halves.
     */
    static long mostConnections(long openFiles) {
        return openFiles - Math.min(OTHER_FILES, openFiles / 2);
    }

    /** How many files the process may have open, sockets included. */
    private static long openFiles() {
        long limit = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : -1;
        return limit > 0 ? limit : Integer.MAX_VALUE; // there is none
    }

    /** @throws UsageException if a value is of no use */
    void validate() {
        validate(openFiles());
    }

    void validate(long openFiles) {
        if (host.isBlank()) { // which Java takes for the loopback address
            throw new UsageException("--host is empty; name an address, or look whether a variable is unset");
        }
        Checks.range("--port", port, 0, 65_535);
        Checks.range("--sync-interval", syncInterval, 1, 3_600_000);
        Checks.range("--checkpoint-percent", checkpointPercent, 0, 1000);
        Checks.range("--checkpoint-min-log", checkpointMinLog, 0, 1 << 20);
        Checks.range("--memory", memory, 1, Integer.MAX_VALUE);
        Checks.range("--connections", connections, 1, 1 << 20);
        if (connections > mostConnections(openFiles)) {
            throw new UsageException("--connections " + connections + " is more than " + mostConnections(openFiles)
                    + ", as the process may have " + openFiles
                    + " files open, and the store needs some of them; give fewer, or raise ulimit -n");
        }
        Checks.range("--threads", threads, 1, 256);
        if (mode == Mode.OFF) {
            requireHeap();
        }
    }

    /** Items in the whole heap would leave no room for requests: it would be full before they count as too many. */
    private void requireHeap() {
        long most = Runtime.getRuntime().maxMemory() / 4 * 3 >> 20;
        if (memory > most) {
            throw new UsageException("--memory " + memory + " is more than three quarters of the heap, " + most
                    + " MiB; give the JVM more, as by PERSIST_JAVA_OPTS=-Xmx" + 2L * memory + "m");
        }
    }

    Safety safety() {
        return mode == Mode.SYNC ? Safety.SYNCED : Safety.LATER;
    }

    /** What the store is opened with. In sync mode the interval is for changes that have no answer. */
    StoreConfig store() {
        LogConfig log = LogConfig.builder(data)
                .durability(Durability.BUFFERED)
                .syncInterval(Duration.ofMillis(syncInterval))
                .build();
        return StoreConfig.builder(log)
                .checkpointPercent(checkpointPercent)
                .checkpointMinLogBytes((long) checkpointMinLog << 20)
                .build();
    }

    /** All settings; those that do nothing in this mode say so. */
    Map<String, String> settings() {
        boolean isOff = mode == Mode.OFF;
        String onlyStored = isOff ? " (not used: nothing is kept)" : "";
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("mode", MemcachedProgram.lower(mode));
        settings.put("data", data + onlyStored);
        settings.put("syncInterval", syncInterval + " ms" + onlyStored);
        settings.put("checkpointPercent", checkpointPercent + onlyStored);
        settings.put("checkpointMinLog", checkpointMinLog + " MiB" + onlyStored);
        settings.put("memory", memory + " MiB" + (isOff ? "" : " (not used: mode is not off)"));
        settings.put("connections", Integer.toString(connections));
        settings.put("threads", Integer.toString(threads));
        return settings;
    }

    /** The same as {@code stats settings} and {@code stats} have them. */
    Map<String, String> stats() {
        Map<String, String> stats = new LinkedHashMap<>();
        stats.put("max_connections", Integer.toString(connections));
        stats.put("threads", Integer.toString(threads));
        stats.put("limit_maxbytes", Long.toString(mode == Mode.OFF ? (long) memory << 20 : 0));
        return stats;
    }
}
