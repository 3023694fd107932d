package io.persist.memcached.server;

import io.persist.memcached.cache.Cache;
import io.persist.memcached.cache.Counters;
import io.persist.memcached.cache.Counters.Counter;
import java.io.PrintStream;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** What {@code stats} tells, under memcached's names. Any thread may use it. */
public final class Stats {

    private final Cache cache;
    private final Supplier<Map<String, String>> persistence;
    private final Map<String, String> settings;
    private final PrintStream err;
    private final AtomicInteger open = new AtomicInteger();
    private final long startedNs = System.nanoTime();

    /**
     * @param persistence what {@code stats persistence} tells
     * @param settings what {@code stats settings} tells
     * @param err where to say that the program has a fault
     */
    public Stats(
            Cache cache, Supplier<Map<String, String>> persistence, Map<String, String> settings, PrintStream err) {
        this.cache = cache;
        this.persistence = persistence;
        this.settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        this.err = err;
    }

    /** How many connections there are. */
    AtomicInteger open() {
        return open;
    }

    void failedConnection(Throwable cause) {
        err.println("persist memcached: a connection was closed: " + cause);
    }

    void closedSlow(long unreadBytes) {
        err.println("persist memcached: a client that does not read its answers was closed: unread=" + unreadBytes
                + " bytes, and of all clients more than a quarter of the direct memory; give fewer --connections, or"
                + " raise -XX:MaxDirectMemorySize");
    }

    void cannotAccept(Throwable cause) {
        err.println("persist memcached: no connection can be accepted (" + cause.getMessage()
                + "), so clients wait; if too many files are open, give fewer --connections, or raise ulimit -n");
    }

    void tell(String about, Answers answers) {
        switch (about) {
            case "" -> tell(general(), answers);
            case "persistence" -> tell(persistence.get(), answers);
            case "settings" -> tell(settings, answers);
            case "items", "slabs", "sizes", "conns" -> answers.line("END"); // there are none of these here
            case "reset" -> {
                cache.counters().reset();
                answers.line("RESET");
            }
            default -> answers.line("CLIENT_ERROR no such statistics; there are persistence, settings, reset");
        }
    }

    private static void tell(Map<String, String> values, Answers answers) {
        values.forEach((name, value) -> answers.line("STAT " + name + " " + value));
        answers.line("END");
    }

    private Map<String, String> general() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("pid", Long.toString(ProcessHandle.current().pid()));
        values.put("uptime", Long.toString(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNs)));
        values.put("time", Long.toString(TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis())));
        values.put("version", Commands.VERSION);
        values.put("pointer_size", "64");
        values.put("curr_connections", Integer.toString(open.get()));
        Counters counters = cache.counters();
        for (Counter counter : Counter.values()) {
            values.put(counter.statName(), Long.toString(counters.value(counter)));
        }
        values.put("curr_items", Long.toString(cache.items().count()));
        values.put("bytes", Long.toString(cache.items().bytes()));
        values.put("evictions", "0");
        values.putAll(settings);
        return values;
    }
}
