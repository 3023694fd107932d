package io.persist.bench.device;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.command.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The program fio, which does what a cell does on the same files. */
final class Fio {

    private final String program;
    private final int block;
    private final long seed;
    private final String version;

    private Fio(String program, int block, long seed, String version) {
        this.program = program;
        this.block = block;
        this.seed = seed;
        this.version = version;
    }

    /** @throws UsageException if there is no such program */
    static Fio find(String program, int block, long seed) throws InterruptedException {
        try {
            return new Fio(
                    program, block, seed, run(List.of(program, "--version")).strip());
        } catch (IOException e) {
            throw new UsageException("--fio needs the program " + program
                    + ", which is not there; install it (apt-get install fio, dnf install fio), or leave --fio out");
        }
    }

    String version() {
        return version;
    }

    /** Its operations per second, of all files together. */
    double perSecond(Cell cell, List<TestFile> files, double seconds) throws IOException, InterruptedException {
        for (TestFile file : files) {
            Files.deleteIfExists(file.growing());
        }
        String out = run(arguments(cell, files, seconds));
        try {
            JsonObject job = JsonParser.parseString(out.substring(Math.max(0, out.indexOf('{'))))
                    .getAsJsonObject()
                    .getAsJsonArray("jobs")
                    .get(0)
                    .getAsJsonObject();
            return job.getAsJsonObject(cell.operation() == Operation.READ ? "read" : "write")
                    .get("iops")
                    .getAsDouble();
        } catch (JsonParseException | IllegalStateException | NullPointerException e) {
            throw new IOException("fio printed no result: " + out.replaceAll("\\s+", " "), e);
        }
    }

    /** A growing file is written once, up to its length; the others as long as the time lasts. */
    List<String> arguments(Cell cell, List<TestFile> files, double seconds) {
        boolean grows = cell.pattern() == Pattern.APPEND;
        String random = cell.pattern() == Pattern.RAND ? "rand" : "";
        List<String> arguments = new ArrayList<>(List.of(program, "--output-format=json", "--thread"));
        arguments.add("--group_reporting");
        arguments.addAll(cell.engine().fio());
        arguments.add("--rw=" + random + cell.operation().name().toLowerCase(Locale.ROOT));
        arguments.add("--bs=" + block);
        arguments.add("--size=" + files.get(0).length());
        arguments.add("--iodepth=" + cell.depth());
        if (cell.syncEvery() > 0) {
            arguments.add("--fdatasync=" + cell.syncEvery());
        }
        arguments.add("--runtime=" + Math.max(1, Math.round(seconds)) + "s");
        if (!grows) {
            arguments.add("--time_based");
        }
        arguments.addAll(List.of("--norandommap", "--randseed=" + seed, "--invalidate=0", "--fallocate=none"));
        for (int i = 0; i < files.size(); i++) {
            arguments.add("--name=file" + i);
            Path path = grows ? files.get(i).growing() : files.get(i).path();
            arguments.add("--filename=" + path.toString().replace(":", "\\:"));
        }
        return arguments;
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        try (InputStream out = process.getInputStream()) {
            String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException("fio ended with " + code + ": "
                        + text.strip().replaceAll("\\s*\\n\\s*", "; ").replaceAll("\\{.*", ""));
            }
            return text;
        } finally {
            process.destroy();
        }
    }
}
