package io.persist.memcached.server;

import java.math.BigInteger;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a memcached does, on a small scale: random commands, and the answers to them. */
final class Model {

    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(64);

    /** As strtoull reads it, but without a sign. */
    private static final Pattern NUMBER = Pattern.compile("\\s*(\\d+)(\\s.*)?", Pattern.DOTALL);

    private record Entry(String data, long flags, long expiresAt, long change) {}

    private final Map<String, Entry> entries = new TreeMap<>();
    private final Random random;
    private StringBuilder answers = new StringBuilder();
    private long now;
    private long change; // counts changes, as cas numbers do
    private long flushAt; // 0: no delayed flush_all
    private boolean knowsCas = true;

    Model(Random random, long now) {
        this.random = random;
        this.now = now;
    }

    long now() {
        return now;
    }

    /** Some seconds go by, or none. */
    void passTime() {
        now += random.nextInt(3);
        if (flushAt != 0 && flushAt <= now) {
            entries.clear();
            flushAt = 0;
        }
        entries.values().removeIf(entry -> entry.expiresAt != 0 && entry.expiresAt <= now);
    }

    void forgetCas() {
        knowsCas = false;
    }

    String describe() {
        return entries + ", now=" + now + ", flushAt=" + flushAt;
    }

    String answers() {
        return answers.toString();
    }

    /** After a restart cas numbers are others; that they identify an item is what {@code gets} and {@code cas} show. */
    String withKnownCas(String text, String expected) {
        return knowsCas ? text : text.replaceAll("(VALUE \\S+ \\d+ \\d+) \\d+", "$1 #");
    }

    /** Some commands; {@link #answers} says what the answers to them are. */
    String pipeline() {
        answers = new StringBuilder();
        StringBuilder commands = new StringBuilder();
        for (int i = random.nextInt(20); i >= 0; i--) {
            commands.append(command());
        }
        return commands.toString();
    }

    private String command() {
        String key = "key" + random.nextInt(8);
        Entry entry = entries.get(key);
        boolean silent = random.nextInt(4) == 0;
        String end = silent ? " noreply\r\n" : "\r\n";
        return switch (random.nextInt(12)) {
            case 0, 1 -> get("get", key);
            case 2 -> get("gets", key);
            case 3, 4, 5 -> store(key, entry, silent, end);
            case 6 -> cas(key, entry, silent, end);
            case 7 -> {
                answer(silent, entry == null ? "NOT_FOUND" : "DELETED");
                entries.remove(key);
                yield "delete " + key + end;
            }
            case 8, 9 -> count(key, entry, silent, end);
            case 10 -> touch(key, entry, silent, end);
            default -> random.nextInt(5) == 0 ? flushAll(silent, end) : bad();
        };
    }

    private void answer(boolean silent, String line) {
        if (!silent) {
            answers.append(line).append("\r\n");
        }
    }

    private String get(String verb, String key) {
        String other = "key" + random.nextInt(8);
        show(verb, key);
        show(verb, other);
        answer(false, "END");
        return verb + " " + key + " " + other + "\r\n";
    }

    private void show(String verb, String key) {
        Entry entry = entries.get(key);
        if (entry != null) {
            String cas = verb.endsWith("s") ? " " + entry.change : "";
            answer(false, "VALUE " + key + " " + entry.flags + " " + entry.data.length() + cas);
            answer(false, entry.data);
        }
    }

    private String data() {
        return switch (random.nextInt(4)) {
            case 0 -> Integer.toString(random.nextInt(1000));
            case 1 -> "x\r\n".repeat(random.nextInt(300));
            case 2 -> " ".repeat(random.nextInt(2)) + "0".repeat(random.nextInt(30)) + random.nextInt(1000) + behind();
            default -> new BigInteger(64, random).toString();
        };
    }

    private String behind() {
        return switch (random.nextInt(3)) {
            case 0 -> " ".repeat(random.nextInt(40));
            case 1 -> "\tx";
            default -> "\n1";
        };
    }

    private long exptime() {
        return switch (random.nextInt(6)) {
            case 0 -> 1 + random.nextInt(5);
            case 1 -> now + 1 + random.nextInt(5);
            case 2 -> random.nextInt(3) - 2;
            default -> 0;
        };
    }

    private void put(String key, Entry entry) {
        if (entry.expiresAt != 0 && entry.expiresAt <= now) {
            entries.remove(key);
        } else {
            entries.put(key, entry);
        }
    }

    private long expiresAt(long exptime) {
        return exptime == 0 ? 0 : exptime < 0 ? 1 : exptime <= 30 * 86_400 ? now + exptime : exptime;
    }

    private String store(String key, Entry entry, boolean silent, String end) {
        String[] verbs = {"set", "set", "add", "replace", "append", "prepend"};
        String verb = verbs[random.nextInt(verbs.length)];
        String data = data();
        long flags = random.nextInt() & 0xFFFF_FFFFL;
        long exptime = exptime();
        boolean stores = verb.equals("set") || verb.equals("add") == (entry == null);
        answer(silent, stores ? "STORED" : "NOT_STORED");
        if (stores) {
            change++;
            Entry made = new Entry(data, flags, expiresAt(exptime), change);
            put(
                    key,
                    switch (verb) {
                        case "append" -> new Entry(entry.data + data, entry.flags, entry.expiresAt, change);
                        case "prepend" -> new Entry(data + entry.data, entry.flags, entry.expiresAt, change);
                        default -> made;
                    });
        }
        return verb + " " + key + " " + flags + " " + exptime + " " + data.length() + end + data + "\r\n";
    }

    private String cas(String key, Entry entry, boolean silent, String end) {
        String data = data();
        boolean fits = knowsCas && entry != null && random.nextBoolean();
        long unique = fits ? entry.change : Long.MAX_VALUE;
        answer(silent, entry == null ? "NOT_FOUND" : fits ? "STORED" : "EXISTS");
        if (fits) {
            put(key, new Entry(data, 1, 0, ++change));
        }
        return "cas " + key + " 1 0 " + data.length() + " " + unique + end + data + "\r\n";
    }

    private String count(String key, Entry entry, boolean silent, String end) {
        boolean up = random.nextBoolean();
        BigInteger delta = random.nextBoolean() ? BigInteger.valueOf(random.nextInt(100)) : new BigInteger(64, random);
        Matcher number = NUMBER.matcher(entry == null ? "" : entry.data);
        boolean isNumber = number.matches();
        BigInteger value = isNumber ? new BigInteger(number.group(1)) : BigInteger.ZERO;
        if (entry == null) {
            answer(silent, "NOT_FOUND");
        } else if (!isNumber || value.compareTo(MODULUS) >= 0) {
            answer(silent, "CLIENT_ERROR cannot increment or decrement non-numeric value");
        } else {
            BigInteger next =
                    up ? value.add(delta).mod(MODULUS) : value.subtract(delta).max(BigInteger.ZERO);
            answer(silent, next.toString());
            StringBuilder padded = new StringBuilder(next.toString());
            while (padded.length() < entry.data.length()) {
                padded.append(' ');
            }
            put(key, new Entry(padded.toString(), entry.flags, entry.expiresAt, ++change));
        }
        return (up ? "incr " : "decr ") + key + " " + delta + end;
    }

    private String touch(String key, Entry entry, boolean silent, String end) {
        long exptime = exptime();
        boolean gets = random.nextBoolean();
        if (gets) {
            if (entry != null) {
                show("get", key);
            }
            answer(false, "END");
        } else {
            answer(silent, entry == null ? "NOT_FOUND" : "TOUCHED");
        }
        if (entry != null) {
            put(key, new Entry(entry.data, entry.flags, expiresAt(exptime), entry.change));
        }
        return gets ? "gat " + exptime + " " + key + "\r\n" : "touch " + key + " " + exptime + end;
    }

    private String flushAll(boolean silent, String end) {
        answer(silent, "OK");
        boolean late = random.nextBoolean();
        if (late) {
            flushAt = now + 2;
        } else {
            entries.clear();
            flushAt = 0;
        }
        return late ? "flush_all 2" + end : "flush_all" + end;
    }

    private String bad() {
        boolean unknown = random.nextBoolean();
        answer(false, unknown ? "ERROR" : "CLIENT_ERROR bad command line format");
        return unknown ? "fetch key1\r\n" : "set key1 x 0 9\r\nflush_all\r\n";
    }
}
