package io.persist.memcached.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.persist.error.CorruptLogException;
import io.persist.error.IndexFullException;
import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.memcached.cache.Cache;
import io.persist.memcached.cache.Counters.Counter;
import io.persist.memcached.cache.Items;
import io.persist.memcached.item.Item;
import io.persist.memcached.protocol.Request;
import io.persist.memcached.protocol.Verb;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the requests of a connection. A retrieval is answered key by key, and can stop between two of them while the
 * client does not read.
 *
 * <p><b>Threads:</b> the connection's event loop.
 */
final class Commands {

    /** Clients look at the number: it is the version of the protocol. */
    static final String VERSION = "1.6.0-persist";

    private static final byte[] VALUE = "VALUE ".getBytes(ISO_8859_1);
    private static final byte[] LINE_END = {'\r', '\n'};
    private static final String NOT_A_NUMBER = "CLIENT_ERROR cannot increment or decrement non-numeric value";
    private static final String NO_MEMORY = "SERVER_ERROR out of memory storing object";
    private static final String NO_MEMORY_TO_READ = "SERVER_ERROR out of memory writing get response";
    private static final String NO_SPACE = "SERVER_ERROR out of disk space storing object";

    private final Service service;
    private final Cache cache;
    private final Answers answers;
    private @Nullable Request retrieval; // that is not answered whole yet
    private int nextKey;

    Commands(Service service, Answers answers) {
        this.service = service;
        this.cache = service.cache();
        this.answers = answers;
    }

    /** Whether a request is not answered whole yet. */
    boolean isBusy() {
        return retrieval != null;
    }

    /** Answers the request, or begins to. */
    void run(Request request) {
        attempt(request, () -> answer(request));
    }

    /** Answers one key more of the retrieval under way. */
    void goOn() {
        Request request = retrieval;
        if (request != null) {
            attempt(request, () -> nextValue(request));
        }
    }

    private void attempt(Request request, Runnable command) {
        try {
            command.run();
        } catch (LogFullException e) {
            cache.counters().count(Counter.STORE_NO_MEMORY);
            refuse(request, NO_SPACE);
        } catch (IndexFullException | Items.OutOfMemoryException e) {
            refuseForMemory(request);
        } catch (CorruptLogException e) {
            refuse(request, "SERVER_ERROR the item is damaged");
        } catch (PersistException e) {
            if (cache.items().hasFailed()) {
                refuse(request, "SERVER_ERROR the log has failed");
                service.failure().complete(e);
            } else { // a bad block, or no file for the next segment: the other items are there, and the log goes on
                refuse(request, e);
            }
        } catch (IllegalStateException e) {
            refuse(request, e);
        }
    }

    private void refuse(Request request, RuntimeException cause) {
        refuse(request, "SERVER_ERROR " + String.valueOf(cause.getMessage()).replaceAll("[\\r\\n]+", " "));
    }

    /** As for the array that an append makes of two, or for an item that is read. Nothing was answered meanwhile. */
    private static <T extends @Nullable Object> T withMemory(Supplier<T> work) {
        try {
            return work.get();
        } catch (OutOfMemoryError e) {
            throw new Items.OutOfMemoryException(String.valueOf(e.getMessage()));
        }
    }

    private void refuseForMemory(Request request) {
        if (request.verb() == Verb.GET || request.verb() == Verb.GETS) {
            refuse(request, NO_MEMORY_TO_READ);
            return;
        }
        cache.counters().count(Counter.STORE_NO_MEMORY);
        cache.lacksMemory();
        refuse(request, NO_MEMORY);
    }

    private void refuse(Request request, String answer) {
        retrieval = null;
        reply(request, answer);
    }

    private void answer(Request request) {
        switch (request.verb()) {
            case GET, GETS, GAT, GATS -> beginRetrieval(request);
            case SET, ADD, REPLACE, APPEND, PREPEND, CAS -> store(request);
            case DELETE ->
                reply(request, withMemory(() -> cache.delete(request.key(), answers)) ? "DELETED" : "NOT_FOUND");
            case INCR -> count(request, Cache.Direction.UP);
            case DECR -> count(request, Cache.Direction.DOWN);
            case TOUCH -> {
                cache.counters().count(Counter.CMD_TOUCH);
                Item touched = withMemory(() -> cache.touch(request.key(), request.exptime(), answers));
                reply(request, touched != null ? "TOUCHED" : "NOT_FOUND");
            }
            case FLUSH_ALL -> {
                cache.flushAll(request.exptime(), answers);
                reply(request, "OK");
            }
            case VERBOSITY -> reply(request, "OK");
            case STATS -> service.stats().tell(request.word(), answers);
            case VERSION -> answers.line("VERSION " + VERSION);
            case QUIT -> {}
            case BAD -> bad(request);
        }
    }

    /** A client that wants no answer waits for none, so an error would be taken for the next one's. */
    private void reply(Request request, String answer) {
        if (!request.isSilent()) {
            answers.line(answer);
        }
    }

    private void bad(Request request) {
        for (byte[] stale : request.keys()) {
            cache.counters().count(Counter.STORE_TOO_LARGE);
            cache.removeStale(stale, answers);
        }
        reply(request, request.word()); // last: what fails before has its own answer, and a request has one
    }

    private void store(Request request) {
        cache.counters().count(Counter.CMD_SET);
        Cache.Stored stored;
        try {
            stored = withMemory(() -> stored(request));
        } catch (LogFullException | LogIOException | IndexFullException | Items.OutOfMemoryException e) {
            if (request.verb() == Verb.SET) {
                cache.removeStale(request.key(), answers);
            }
            throw e;
        }
        reply(request, stored == Cache.Stored.TOO_LARGE ? "SERVER_ERROR object too large for cache" : stored.name());
    }

    private Cache.Stored stored(Request request) {
        if (request.lacksItem()) {
            throw new Items.OutOfMemoryException("no memory for the data of a request");
        }
        return cache.store(
                Cache.StoreMode.valueOf(request.verb().name()),
                request.key(),
                request.item(),
                request.flags(),
                request.exptime(),
                request.number(),
                answers);
    }

    private void count(Request request, Cache.Direction direction) {
        byte[] digits = withMemory(() -> cache.count(direction, request.key(), request.number(), answers));
        if (digits == null) {
            reply(request, NOT_A_NUMBER);
        } else if (digits == Cache.NOT_FOUND) {
            reply(request, "NOT_FOUND");
        } else {
            reply(request, new String(digits, StandardCharsets.US_ASCII));
        }
    }

    private void beginRetrieval(Request request) {
        retrieval = request;
        nextKey = 0;
        nextValue(request);
    }

    private void nextValue(Request request) {
        List<byte[]> keys = request.keys();
        byte[] key = keys.get(nextKey++);
        cache.counters().count(Counter.CMD_GET);
        boolean touches = request.verb() == Verb.GAT || request.verb() == Verb.GATS;
        Item item = withMemory(() -> touches ? touched(key, request.exptime()) : cache.get(key));
        if (item != null) {
            boolean hasCas = request.verb() == Verb.GETS || request.verb() == Verb.GATS;
            answers.bytes(VALUE);
            answers.bytes(key);
            answers.line(" " + Integer.toUnsignedString(item.flags()) + " " + item.dataLength()
                    + (hasCas ? " " + Long.toUnsignedString(item.cas()) : ""));
            answers.bytes(item.bytes(), Item.HEADER_LENGTH, item.dataLength());
            answers.bytes(LINE_END);
        }
        if (nextKey == keys.size()) {
            retrieval = null;
            answers.line("END");
        }
    }

    private @Nullable Item touched(byte[] key, long exptime) {
        cache.counters().count(Counter.CMD_TOUCH);
        Item item = cache.touch(key, exptime, answers);
        cache.counters().count(item == null ? Counter.GET_MISSES : Counter.GET_HITS);
        return item;
    }
}
