package io.persist.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A run of a program within the test, and what came of it. */
record Program(int code, String out, String err) {

    /** Runs the benchmark with these arguments. */
    static Program message(String... args) {
        return run(MessageLoggerMain::start, args);
    }

    /** Runs the benchmark on a log and an output directory, small and without warm-up unless {@code args} say else. */
    static Program small(Path directory, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        addDefault(all, "-k", "--logLocation", directory.resolve("logs").toString());
        addDefault(all, "--output", "--output", directory.resolve("output").toString());
        addDefault(all, "-t", "--warmupTime", "0");
        addDefault(all, "-i", "--initialLogLength", "0.002");
        addDefault(all, "--segmentSize", "--segmentSize", "1");
        return message(all.toArray(new String[0]));
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
}
