package io.persist.peers.state.growth;

import com.google.gson.Gson;
import io.persist.peers.trial.process.ChildMain;
import io.persist.peers.trial.process.ParentWatch;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The main class of an engine's process: gets the files with the {@link GrowthSpec}, for the result and for the
 * latencies. Standard output says how far it is. If it fails, the last line of standard error says why.
 */
public final class GrowthTrial {

    private GrowthTrial() {}

    public static void main(String[] args) {
        ParentWatch.start();
        System.exit(ChildMain.exitCode(() -> run(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]))));
    }

    private static void run(Path specFile, Path result, Path latencies) throws Exception {
        GrowthSpec spec = new Gson().fromJson(Files.readString(specFile), GrowthSpec.class);
        new GrowthRun(spec, System.out::println).run(latencies).save(result);
    }
}
