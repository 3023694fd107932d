package io.persist.support;

import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.List;

/** The rule that each package uses only those below it. */
public final class Layers {

    private Layers() {}

    /** Adds these packages, from the bottom up, to {@code rule}, which has no layer yet. */
    public static LayeredArchitecture add(LayeredArchitecture rule, List<String> packages) {
        for (String layer : packages) {
            rule = rule.layer(layer).definedBy(layer);
        }
        for (int i = 0; i < packages.size(); i++) {
            String[] above = packages.subList(i + 1, packages.size()).toArray(String[]::new);
            String layer = packages.get(i);
            rule = above.length == 0
                    ? rule.whereLayer(layer).mayNotBeAccessedByAnyLayer()
                    : rule.whereLayer(layer).mayOnlyBeAccessedByLayers(above);
        }
        return rule;
    }
}
