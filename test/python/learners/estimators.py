# SPDX-License-Identifier: MIT
"""Estimators by their names, each as a function that makes it."""

from sklearn import (calibration, cluster, cross_decomposition,
                     decomposition, discriminant_analysis, ensemble,
                     feature_selection,
                     gaussian_process, impute, linear_model, multiclass,
                     multioutput, naive_bayes, neighbors, neural_network,
                     pipeline, preprocessing, random_projection, svm, tree)


def one(make, **arguments):
    return lambda: make(**arguments)


def scaled(make, **arguments):
    return lambda: pipeline.make_pipeline(preprocessing.StandardScaler(),
                                          make(**arguments))


CLASSIFIERS = {
    "LogisticRegression": scaled(linear_model.LogisticRegression),
    "LogisticRegressionCV": scaled(linear_model.LogisticRegressionCV, cv=3),
    "SGDClassifier": scaled(linear_model.SGDClassifier, loss="log_loss",
                            random_state=0),
    "Perceptron": scaled(linear_model.Perceptron, random_state=0),
    "RidgeClassifier": scaled(linear_model.RidgeClassifier),
    "LinearSVC": one(svm.LinearSVC, random_state=0),
    "SVC": scaled(svm.SVC),
    "NuSVC": scaled(svm.NuSVC, nu=0.3),
    "DecisionTreeClassifier": one(tree.DecisionTreeClassifier, random_state=0),
    "ExtraTreeClassifier": one(tree.ExtraTreeClassifier, random_state=0),
    "RandomForestClassifier": one(ensemble.RandomForestClassifier,
                                  n_estimators=12, random_state=0),
    "ExtraTreesClassifier": one(ensemble.ExtraTreesClassifier, n_estimators=12,
                                random_state=0),
    "GradientBoostingClassifier": one(ensemble.GradientBoostingClassifier,
                                      n_estimators=8, random_state=0),
    "AdaBoostClassifier": one(ensemble.AdaBoostClassifier, n_estimators=8,
                              random_state=0),
    "BaggingClassifier": one(ensemble.BaggingClassifier, n_estimators=5,
                             random_state=0),
    "StackingClassifier": lambda: ensemble.StackingClassifier(
        [("a", linear_model.LogisticRegression(max_iter=500)),
         ("b", tree.DecisionTreeClassifier(max_depth=3, random_state=0))], cv=3),
    "KNeighborsClassifier": one(neighbors.KNeighborsClassifier),
    "GaussianNB": one(naive_bayes.GaussianNB),
    "BernoulliNB": one(naive_bayes.BernoulliNB, binarize=3.0),
    "MultinomialNB": one(naive_bayes.MultinomialNB),
    "ComplementNB": one(naive_bayes.ComplementNB),
    "LinearDiscriminantAnalysis": one(
        discriminant_analysis.LinearDiscriminantAnalysis),
    "MLPClassifier": scaled(neural_network.MLPClassifier, max_iter=40,
                            random_state=0),
    "OneVsRestClassifier": lambda: multiclass.OneVsRestClassifier(
        linear_model.LogisticRegression(max_iter=500)),
    "CalibratedClassifierCV": lambda: calibration.CalibratedClassifierCV(
        svm.LinearSVC(random_state=0), cv=3),
}

REGRESSORS = {
    "LinearRegression": one(linear_model.LinearRegression),
    "Ridge": one(linear_model.Ridge),
    "RidgeCV": one(linear_model.RidgeCV),
    "Lasso": one(linear_model.Lasso, alpha=0.1),
    "LassoLars": one(linear_model.LassoLars, alpha=0.1),
    "ElasticNet": one(linear_model.ElasticNet, alpha=0.1),
    "Lars": one(linear_model.Lars),
    "OrthogonalMatchingPursuit": one(linear_model.OrthogonalMatchingPursuit),
    "BayesianRidge": one(linear_model.BayesianRidge),
    "ARDRegression": one(linear_model.ARDRegression),
    "HuberRegressor": scaled(linear_model.HuberRegressor),
    "QuantileRegressor": one(linear_model.QuantileRegressor, alpha=0.01),
    "SGDRegressor": scaled(linear_model.SGDRegressor, random_state=0),
    "TheilSenRegressor": one(linear_model.TheilSenRegressor, random_state=0,
                             max_subpopulation=200),
    "PoissonRegressor": one(linear_model.PoissonRegressor),
    "GammaRegressor": one(linear_model.GammaRegressor),
    "TweedieRegressor": one(linear_model.TweedieRegressor),
    "LinearSVR": scaled(svm.LinearSVR, random_state=0),
    "SVR": scaled(svm.SVR),
    "NuSVR": scaled(svm.NuSVR),
    "DecisionTreeRegressor": one(tree.DecisionTreeRegressor, random_state=0),
    "RandomForestRegressor": one(ensemble.RandomForestRegressor,
                                 n_estimators=12, random_state=0),
    "ExtraTreesRegressor": one(ensemble.ExtraTreesRegressor, n_estimators=12,
                               random_state=0),
    "GradientBoostingRegressor": one(ensemble.GradientBoostingRegressor,
                                     n_estimators=8, random_state=0),
    "AdaBoostRegressor": one(ensemble.AdaBoostRegressor, n_estimators=8,
                             random_state=0),
    "BaggingRegressor": one(ensemble.BaggingRegressor, n_estimators=5,
                            random_state=0),
    "KNeighborsRegressor": one(neighbors.KNeighborsRegressor),
    "MLPRegressor": scaled(neural_network.MLPRegressor, max_iter=40,
                           random_state=0),
    "GaussianProcessRegressor": one(gaussian_process.GaussianProcessRegressor,
                                    alpha=0.1),
    "PLSRegression": one(cross_decomposition.PLSRegression),
}

TRANSFORMERS = {
    "StandardScaler": one(preprocessing.StandardScaler),
    "MinMaxScaler": one(preprocessing.MinMaxScaler),
    "MaxAbsScaler": one(preprocessing.MaxAbsScaler),
    "RobustScaler": one(preprocessing.RobustScaler),
    "Normalizer": one(preprocessing.Normalizer),
    "Binarizer": one(preprocessing.Binarizer, threshold=3.0),
    "PolynomialFeatures": one(preprocessing.PolynomialFeatures),
    "KBinsDiscretizer": one(preprocessing.KBinsDiscretizer, n_bins=4,
                            encode="onehot-dense",
                            quantile_method="averaged_inverted_cdf"),
    "PowerTransformer": one(preprocessing.PowerTransformer),
    "SimpleImputer": one(impute.SimpleImputer),
    "PCA": one(decomposition.PCA, n_components=3),
    "IncrementalPCA": one(decomposition.IncrementalPCA, n_components=3),
    "TruncatedSVD": one(decomposition.TruncatedSVD, n_components=2,
                        random_state=0),
    "KernelPCA": one(decomposition.KernelPCA, n_components=2, kernel="rbf"),
    "GaussianRandomProjection": one(
        random_projection.GaussianRandomProjection, n_components=3,
        random_state=0),
    "VarianceThreshold": one(feature_selection.VarianceThreshold, threshold=0.2),
    "SelectKBest": one(feature_selection.SelectKBest, k=2),
    "SelectPercentile": one(feature_selection.SelectPercentile, percentile=50),
    "KMeans": one(cluster.KMeans, n_clusters=3, n_init=2, random_state=0),
    "MiniBatchKMeans": one(cluster.MiniBatchKMeans, n_clusters=3, n_init=2,
                           random_state=0),
}


def anomalies():
    return ensemble.IsolationForest(n_estimators=10, random_state=0)


def chained():
    return multioutput.MultiOutputRegressor(linear_model.Ridge())
