package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.flags.MessageLoggerParameters;
import io.persist.bench.flags.PacketLoggerParameters;
import io.persist.bench.flags.StoreLoggerParameters;
import io.persist.command.Command;
import io.persist.command.CommandLine;
import io.persist.command.NamedCommand;
import io.persist.file.disk.DirectoryStorage;
import io.persist.store.engine.StoreMonitor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A run of a program within the test, and what came of it. */
public record Program(int code, String out, String err) {

    private static final long MOST_WAIT_NS = TimeUnit.MINUTES.toNanos(2);

    /** Between two looks: the one that is waited for may need this CPU. */
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** The benchmarks: what they are called, and where they keep their log. */
    public enum Kind {
        MESSAGE("message", "messages", "-k", MessageLoggerMain::new, MessageLoggerParameters::new),
        PACKET("packet", "packets", "-l", PacketLoggerMain::new, PacketLoggerParameters::new),
        STORE("storelogger", "messages", "-l", StoreLoggerMain::new, StoreLoggerParameters::new);

        final String command;
        final String noun;
        final String logLocation;
        private final Supplier<NamedCommand> named;
        private final Supplier<LoggerParameters> parameters;

        Kind(
                String command,
                String noun,
                String logLocation,
                Supplier<NamedCommand> named,
                Supplier<LoggerParameters> parameters) {
            this.command = command;
            this.noun = noun;
            this.logLocation = logLocation;
            this.named = named;
            this.parameters = parameters;
        }

        /** Where it has its log, if this is its location. */
        Path log(Path location) {
            return location.resolve(parameters.get().logName());
        }

        /** The names of each flag. */
        List<List<String>> flags() {
            return named.get().commandLine().flags().stream()
                    .map(CommandLine.Flag::names)
                    .toList();
        }

        /** What these arguments say, validated. */
        public LoggerParameters parse(String... args) {
            LoggerParameters parsed = parameters.get();
            CommandLine.of(parsed).parse(args);
            parsed.validate();
            return parsed;
        }

        /** Runs the benchmark with these arguments. */
        Program run(String... args) {
            return Program.run(named.get()::run, args);
        }

        /** Runs it on a log and an output directory, small and without warm-up unless {@code args} say else. */
        Program small(Path directory, String... args) {
            return watched(directory, line -> {}, args);
        }

        /** The same; {@code watcher} gets each line of the output, and the program goes on when it has returned. */
        Program watched(Path directory, Consumer<String> watcher, String... args) {
            List<String> all = withoutIgnored(args);
            addDefault(
                    all, logLocation, "--logLocation", directory.resolve("logs").toString());
            addDefault(all, "--output", "--output", directory.resolve("output").toString());
            addDefault(all, "-t", "--warmupTime", "0");
            addDefault(all, "-i", "--initialLogLength", "0.002");
            addDefault(all, "--segmentSize", "--segmentSize", "1");
            return Program.run(named.get()::run, watcher, all.toArray(new String[0]));
        }

        /** The arguments without the flag that is to be ignored, if there is one: see {@link ShowsEffectOf}. */
        List<String> withoutIgnored(String... args) {
            List<String> all = new ArrayList<>(List.of(args));
            String ignored = System.getProperty("ignoredFlag", "");
            for (List<String> names : flags()) {
                int flag = names.stream().mapToInt(all::indexOf).max().orElse(-1);
                if (flag >= 0 && names.contains(ignored)) {
                    boolean hasValue =
                            flag + 1 < all.size() && !all.get(flag + 1).matches("--?[a-zA-Z]+");
                    all.subList(flag, flag + (hasValue ? 2 : 1)).clear();
                }
            }
            return all;
        }
    }

    /** Runs the benchmark of messages with these arguments. */
    static Program message(String... args) {
        return Kind.MESSAGE.run(args);
    }

    /** Runs the benchmark of messages, small. */
    public static Program small(Path directory, String... args) {
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

    /** The same; it reads when its store has written a checkpoint, which may take longer than the puts. */
    static Program storeWithCheckpoint(Path directory, String... args) {
        Path log = Kind.STORE.log(directory.resolve("logs"));
        return Kind.STORE.watched(
                directory,
                line -> {
                    if (line.startsWith("Wrote ")) {
                        await("a checkpoint", () -> hasWrittenACheckpoint(log));
                    }
                },
                args);
    }

    /** Whether a store has since it was opened. */
    private static boolean hasWrittenACheckpoint(Path log) {
        try {
            return StoreMonitor.read(DirectoryStorage.open(log))
                            .orElseThrow()
                            .checkpoint()
                            .written()
                    > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void addDefault(List<String> args, String name, String otherName, String value) {
        if (!args.contains(name) && !args.contains(otherName)) {
            args.add(name);
            args.add(value);
        }
    }

    static Program run(Command command, String... args) {
        return run(command, line -> {}, args);
    }

    private static Program run(Command command, Consumer<String> watcher, String... args) {
        WatchedOutput out = new WatchedOutput(watcher);
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = command.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Program(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Returns once {@code condition} is true. */
    static void await(String what, BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > MOST_WAIT_NS) {
                throw new AssertionError("waited in vain for " + what);
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
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

    /** The one line by which it refuses its arguments; it prints nothing else. */
    String usageError() {
        assertThat(code).isEqualTo(Command.USAGE);
        assertThat(out).isEmpty();
        assertThat(err.lines()).hasSize(1);
        return err;
    }

    /** Keeps what is printed, and hands over each line when it is whole, on the thread that prints it. */
    private static final class WatchedOutput extends ByteArrayOutputStream {

        private final Consumer<String> watcher;
        private int lineStart;

        WatchedOutput(Consumer<String> watcher) {
            this.watcher = watcher;
        }

        @Override
        public synchronized void write(int b) {
            super.write(b);
            handOverLines();
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, length);
            handOverLines();
        }

        private void handOverLines() {
            for (int i = lineStart; i < count; i++) {
                if (buf[i] == '\n') {
                    String line = new String(buf, lineStart, i - lineStart, StandardCharsets.UTF_8);
                    lineStart = i + 1;
                    watcher.accept(line);
                }
            }
        }
    }
}
