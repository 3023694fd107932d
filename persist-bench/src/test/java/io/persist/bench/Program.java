package io.persist.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A run of a program within the test, and what came of it. */
record Program(int code, String out, String err) {

    /** The benchmarks: what they are called, and where they keep their log. */
    enum Kind {
        MESSAGE("message", "messages", "-k", MessageLoggerMain::start),
        PACKET("packet", "packets", "-l", PacketLoggerMain::start),
        STORE("storelogger", "messages", "-l", StoreLoggerMain::start);

        final String command;
        final String noun;
        final String logLocation;
        private final Command program;

        Kind(String command, String noun, String logLocation, Command program) {
            this.command = command;
            this.noun = noun;
            this.logLocation = logLocation;
            this.program = program;
        }

        /** Runs the benchmark with these arguments. */
        Program run(String... args) {
            return Program.run(program, args);
        }

        /** Runs it on a log and an output directory, small and without warm-up unless {@code args} say else. */
        Program small(Path directory, String... args) {
            List<String> all = new ArrayList<>(List.of(args));
            addDefault(
                    all, logLocation, "--logLocation", directory.resolve("logs").toString());
            addDefault(all, "--output", "--output", directory.resolve("output").toString());
            addDefault(all, "-t", "--warmupTime", "0");
            addDefault(all, "-i", "--initialLogLength", "0.002");
            addDefault(all, "--segmentSize", "--segmentSize", "1");
            return run(all.toArray(new String[0]));
        }
    }

    /** Runs the benchmark of messages with these arguments. */
    static Program message(String... args) {
        return Kind.MESSAGE.run(args);
    }

    /** Runs the benchmark of messages, small. */
    static Program small(Path directory, String... args) {
        return Kind.MESSAGE.small(directory, args);
    }

    /** Runs the benchmark of packets, small. */
    static Program packets(Path directory, String... args) {
        return Kind.PACKET.small(directory, args);
    }

    /** Runs the benchmark of a store, small. */
    static Program store(Path directory, String... args) {
        return Kind.STORE.small(directory, args);
    }

    private static void addDefault(List<String> args, String name, String otherName, String value) {
        if (!args.contains(name) && !args.contains(otherName)) {
            args.add(name);
            args.add(value);
        }
    }

    static Program run(Command command, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = command.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Program(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** The value that the parameters block shows. */
    String parameter(String name) {
        return out.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no parameter " + name + " in\n" + out + err));
    }

    /** How many values a series of the table has; -1 if it is not there. */
    long iterations(String series) {
        Matcher row = Pattern.compile("(?m)^" + series + " +(\\d+) +[\\d.]+ ").matcher(out);
        return row.find() ? Long.parseLong(row.group(1)) : -1;
    }

    /** The number before {@code what}, as in "17 syncs". */
    long number(String what) {
        Matcher number = Pattern.compile("([\\d,]+) " + what).matcher(out);
        if (!number.find()) {
            throw new AssertionError("no number of " + what + " in\n" + out + err);
        }
        return Long.parseLong(number.group(1).replace(",", ""));
    }
}
